insert into installation (name, value)
values ('erasures', 1)
on conflict (name) do update
set value = value + 1
