-- name: hour
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

-- name: weekday
-- Figures per day, summed over its hours; of days without hours, their totals.
select day,
  sum(visitors) as visitors,
  sum(sessions) as sessions,
  sum(views) as views,
  sum(bounces) as bounces
from hour_day
where day between @from and @to
group by day
union all
select s.day, s.visitors, s.sessions, s.views, s.bounces
from site_day s
where s.day between @from and @to
  and not exists (select 1 from hour_day h where h.day = s.day)
