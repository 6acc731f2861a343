insert into installation (name, value)
values ('timezone', @timezone)
on conflict (name) do update
set value = excluded.value
