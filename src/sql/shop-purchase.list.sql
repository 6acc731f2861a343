-- Orders with new claims.
select order_id
from shop_purchase
limit @limit
