-- The time at which an order counts. Deletion markers of unknown orders have none.
select id, ifnull(paid_at, created_at) as second
from shop_order
where deleted = 0
  or modified_at > 0
order by id
