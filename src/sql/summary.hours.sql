-- Figures per hour and day.
select day, hour, visitors, sessions, views, bounces, seconds
from hour_day
where day between @from and @to
order by day, hour
