-- Figures per day, summed over its hours.
select day,
  sum(visitors) as visitors,
  sum(sessions) as sessions,
  sum(views) as views,
  sum(bounces) as bounces
from hour_day
where day between @from and @to
group by day
