-- The highest number a session has had, before its row goes.
insert into installation (name, value)
select 'session_number', max(id)
from session
where id < 1099511627776
having max(id) is not null
on conflict (name) do update
set value = max(value, excluded.value)
