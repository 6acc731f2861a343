insert into shop_purchase (order_id)
values (@order_id)
on conflict (order_id) do nothing
