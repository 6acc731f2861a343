-- The number, as the event carried it, of an order whose purchase event came in.
select order_id
from shop_purchase
limit @limit
