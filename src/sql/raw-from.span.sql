-- The first and last time of raw rows; null without any. Two subqueries, because each reads one end of the index.
select min(first) as first, max(last) as last
from (
  select (select min(started_at) from main.session) as first,
    (select max(started_at) from main.session) as last
  union all
  select (select min(id) from main.view) / 1048576, (select max(id) from main.view) / 1048576
  union all
  select (select min(id) from main.event) / 1048576, (select max(id) from main.event) / 1048576
)
