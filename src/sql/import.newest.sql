-- The time of the newest view or event in seconds.
select max(second) as second
from (
  select max(id) / 1048576 as second
  from view
  union all
  select max(id) / 1048576
  from event
)
