-- name: summary.hours
-- Figures per hour and day.
select day, hour, visitors, sessions, views, bounces, seconds
from hour_day
where day between @from and @to
order by day, hour

-- name: summary.hours-missing
-- A day with figures but no hours: a history that was imported as sums.
select s.day
from site_day s
where s.day between @from and @to
  and s.sessions + s.views > 0
  and not exists (select 1 from hour_day h where h.day = s.day)
order by s.day
