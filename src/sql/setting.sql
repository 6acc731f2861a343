-- name: list
-- One setting that differs from its default, its value as JSON.
select name, value
from setting
order by name

-- name: save
insert into setting (name, value)
values (@name, @value)
on conflict (name) do update
set value = excluded.value
