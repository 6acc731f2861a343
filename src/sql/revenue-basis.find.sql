-- The zone and the statuses that the rollups of orders were made with.
select value as basis
from installation
where name = 'revenue_basis'
