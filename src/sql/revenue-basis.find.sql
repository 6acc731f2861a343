-- The time zone and the statuses that the revenue rollups were calculated with.
select value as basis
from installation
where name = 'revenue_basis'
