-- An order of which nothing is known yet where it came from is to be looked at again. Its number is a text as an event carries it.
insert into shop_purchase (order_id)
select @order_id
from shop_order
where id = cast(@order_id as integer)
  and cast(id as text) = @order_id
  and attributed_by = 'nothing'
on conflict (order_id) do nothing
