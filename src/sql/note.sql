-- name: find
-- A note of the service about itself, as JSON.
select value
from installation
where name = @name

-- name: take
-- The note, which is gone by now.
delete from installation
where name = @name
returning value

-- name: save
insert into installation (name, value)
values (@name, @value)
on conflict (name) do update
set value = excluded.value
where value <> excluded.value
