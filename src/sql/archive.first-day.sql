-- The first day that has rollups.
select min(day) as day
from (
  select min(day) as day
  from site_day
  union all
  select min(period)
  from event_rollup
  where period % 100 > 0
)
