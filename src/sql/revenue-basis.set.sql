insert into installation (name, value)
values ('revenue_basis', @basis)
on conflict (name) do update
set value = excluded.value
