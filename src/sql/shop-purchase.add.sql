-- Marks an order to be attributed again, unless the shop has recorded its source.
insert into shop_purchase (order_id)
select id
from shop_order
where id = @order_id
  and attributed_by <> 'shop'
on conflict (order_id) do nothing
