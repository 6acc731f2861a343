-- name: find
-- The first day with complete raw rows; no row if nothing was ever purged.
select value as day
from installation
where name = 'raw_from'

-- name: set
insert into installation (name, value)
values ('raw_from', cast(@day as integer))
on conflict (name) do update
set value = excluded.value

-- name: span
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
