-- The days that have any data.
select day
from (
  select day
  from site_day
  union
  select period
  from event_rollup
  where period % 100 > 0
  union
  select day
  from ledger
  union
  select day
  from dirty_day
)
where day between @from and @to
order by day
