-- name: find
-- The time zone of the database.
select value as timezone
from installation
where name = 'timezone'

-- name: set
insert into installation (name, value)
values ('timezone', @timezone)
on conflict (name) do update
set value = excluded.value

-- name: record-change
insert into timezone_change (changed_at, previous, timezone, first_day)
values (@changed_at, @previous, @timezone, @first_day)
on conflict (changed_at) do nothing

-- name: changes
-- A change of the time zone, and the first day in the new one.
select first_day, previous, timezone
from timezone_change
order by changed_at
