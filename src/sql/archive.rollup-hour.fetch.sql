-- Takes a day's rows to hand as they are kept.
insert into new_hour_day (
  day, hour, visitors, sessions, views, bounces, seconds
)
select day, hour, visitors, sessions, views, bounces, seconds
from hour_day
where day = @period
