-- The figures of one hour over all days that have the usual 24, and over each of the others by itself; of the former any
-- day stands for all.
select max(day) as day, hour,
  sum(visitors) as visitors,
  sum(sessions) as sessions,
  sum(views) as views,
  sum(bounces) as bounces
from hour_day
where day between @from and @to
group by iif(day in (select value from json_each(@uneven)), day, 0), hour
