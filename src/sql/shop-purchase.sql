-- name: list
-- Orders with new claims.
select order_id
from shop_purchase
limit @limit

-- name: remove
delete from shop_purchase
where order_id = @order_id
