-- One day that has all its raw rows, is derived and is not packed.
select day
from site_day
where day >= @complete
  and day < @today
  and day not in (select day from packed_day)
  and day not in (select day from dirty_day)
