-- name: find
-- One value of the reconcile's state, such as its cursor or when it last ran.
select value
from installation
where name = @name

-- name: set
insert into installation (name, value)
values (@name, @value)
on conflict (name) do update
set value = excluded.value

-- name: remove
delete from installation
where name = @name
