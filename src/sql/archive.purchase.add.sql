-- Marks an order without attribution to be attributed again. The order id of an event is a text.
insert into shop_purchase (order_id)
select @order_id
from shop_order
where id = cast(@order_id as integer)
  and cast(id as text) = @order_id
  and attributed_by = 'nothing'
on conflict (order_id) do nothing
