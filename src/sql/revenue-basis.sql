-- name: find
-- The time zone and the statuses that the revenue rollups were calculated with.
select value as basis
from installation
where name = 'revenue_basis'

-- name: set
insert into installation (name, value)
values ('revenue_basis', @basis)
on conflict (name) do update
set value = excluded.value

-- name: revenue-period.clear
-- Deletes all rows before a recalculation from the orders.
delete from revenue_period
where kind is not null
