-- name: backfill.stored
-- The number of stored orders that are not deleted.
select ifnull(sum(orders), 0) as orders
from revenue_period
where kind = 'stored'
