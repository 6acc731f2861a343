-- One day that has all its raw rows, is derived and is not packed, or only begun.
select day
from site_day
where day >= @complete
  and day < @today
  and day not in (select day from packed_day where length(columns) <> 1)
  and day not in (select day from dirty_day)
