-- The highest session id so far, kept before its row is deleted.
insert into installation (name, value)
select 'session_number', max(id)
from session
where id < 1099511627776
having max(id) is not null
on conflict (name) do update
set value = max(value, excluded.value)
