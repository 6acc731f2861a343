-- How a product or variation is called, and by which order.
select product_id, variation_id, name, named_at, order_id
from shop_product
order by product_id, variation_id
