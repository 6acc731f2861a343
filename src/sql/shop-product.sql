-- name: save
insert into shop_product (product_id, variation_id, name, named_at, order_id)
values (@product_id, @variation_id, @name, @named_at, @order_id)
on conflict (product_id, variation_id) do update
set name = excluded.name,
  named_at = excluded.named_at,
  order_id = excluded.order_id
where (excluded.named_at, excluded.order_id) > (named_at, order_id)
  or ((excluded.named_at, excluded.order_id) = (named_at, order_id) and excluded.name <> name)

-- name: archive.product.list
-- The names of a product or variation, and the order that each comes from.
select product_id, variation_id, name, named_at, order_id
from shop_product
order by product_id, variation_id
