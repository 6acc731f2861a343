-- Figures per channel and day.
select period as day, value as channel, visitors, sessions, views, bounces
from dimension_rollup
where dimension = 'channel'
  and period between @from and @to
  and period % 100 > 0
order by period, value
