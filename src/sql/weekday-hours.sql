-- name: dimensions.weekday-hour
-- The figures of one hour of one weekday (0 is Sunday) over all days that have the usual 24 hours, and over each of the
-- others by itself; of the former any day stands for all.
with hours as (
  select day, hour, visitors, sessions, views, bounces,
    iif(day in (select value from json_each(@uneven)), day, 0) as uneven_day,
    strftime('%w', printf('%d-%02d-%02d', day / 10000, day / 100 % 100, day % 100)) as weekday
  from hour_day
  where day between @from and @to
)
select max(day) as day, hour,
  sum(visitors) as visitors,
  sum(sessions) as sessions,
  sum(views) as views,
  sum(bounces) as bounces
from hours
group by uneven_day, weekday, hour
