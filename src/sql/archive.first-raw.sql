-- The time of the first view or event in seconds; null if there is none.
select min(second) as second
from (
  select min(id) / 1048576 as second
  from view
  union all
  select min(id) / 1048576
  from event
)
