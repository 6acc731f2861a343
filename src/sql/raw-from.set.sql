insert into installation (name, value)
values ('raw_from', cast(@day as integer))
on conflict (name) do update
set value = excluded.value
