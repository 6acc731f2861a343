-- Takes a day's rows to hand as they are kept.
insert into new_site_day (
  day, visitors, sessions, views, bounces, seconds
)
select day, visitors, sessions, views, bounces, seconds
from site_day
where day = @period
