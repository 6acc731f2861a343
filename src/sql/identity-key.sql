-- name: find
-- The secret key of this installation.
select value
from installation
where name = 'identity_key'

-- name: add
-- The secret key of this installation; the first one stays.
insert into installation (name, value)
values ('identity_key', @value)
on conflict (name) do nothing
