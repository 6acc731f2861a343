-- Order ids of new purchase events, as the events gave them.
select order_id
from shop_purchase
limit @limit
