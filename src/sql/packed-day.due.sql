-- One day with complete raw rows and up-to-date rollups that is not packed, or only claimed.
select day
from site_day
where day >= @complete
  and day < @today
  and day not in (select day from packed_day where length(columns) <> 1)
  and day not in (select day from dirty_day)
