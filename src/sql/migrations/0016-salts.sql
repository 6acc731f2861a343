-- Salts are in a file beside the database since then.
-- name: salt.list
-- A salt, in hexadecimal.
select day, lower(hex(salt)) as salt, expires_at
from day_salt

-- name: salt.mark.script
insert or replace into installation (name, value)
values ('salts_in_log', 1);

-- name: salt.drop.script
drop table day_salt;

-- name: salt.add
insert or replace into day_salt (day, salt, expires_at)
values (@day, unhex(@salt), @expires_at)
