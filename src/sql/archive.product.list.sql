-- The names of a product or variation, and the order that each comes from.
select product_id, variation_id, name, named_at, order_id
from shop_product
order by product_id, variation_id
