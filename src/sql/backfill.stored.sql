-- How many orders are kept that the shop has not deleted.
select ifnull(sum(orders), 0) as orders
from revenue_period
where kind = 'stored'
