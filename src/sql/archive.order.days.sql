-- The second by which an order counts. Marks of orders that the file never knew have none.
select id, ifnull(paid_at, created_at) as second
from shop_order
where deleted = 0
  or modified_at > 0
order by id
