-- The second of the first view or event; null without any.
select min(second) as second
from (
  select min(id) / 1048576 as second
  from view
  union all
  select min(id) / 1048576
  from event
)
