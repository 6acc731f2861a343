-- name: shop-order.within
-- Ids of orders that are not deleted and count within a time range; drafts, which were never ordered, are excluded.
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
