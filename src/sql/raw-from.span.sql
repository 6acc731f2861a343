-- The first and last second of raw rows; null without any.
select min(first) as first, max(last) as last
from (
  select min(started_at) as first, max(started_at) as last
  from session
  union all
  select min(id) / 1048576, max(id) / 1048576
  from view
  union all
  select min(id) / 1048576, max(id) / 1048576
  from event
)
