-- name: erasure.number.find
-- The number of erasures run so far. The service reloads its in-memory state when another process changes it.
select value as number
from installation
where name = 'erasures'

-- name: erasure.number.add
insert into installation (name, value)
values ('erasures', 1)
on conflict (name) do update
set value = value + 1
