-- The number of an order that is not deleted and counts within a span of time; carts that were never ordered are left out.
select id
from shop_order
where id > @after
  and id <= @until
  and deleted = 0
  and ifnull(paid_at, created_at) >= @start
  and ifnull(paid_at, created_at) < @end
  and status not in ('checkout-draft', 'auto-draft', 'draft', 'new')
order by id
limit @limit
