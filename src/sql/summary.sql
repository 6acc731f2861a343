-- name: by-day
-- Totals per day.
select day, visitors, sessions, views, bounces, seconds
from site_day
where day between @from and @to
order by day
