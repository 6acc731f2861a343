-- name: event.claims
-- The claims of a session, and the event that starts its checkout.
select id, order_id, claim
from event
where session_id = @session_id
  and claim is not null

-- name: event.set-claim
update event
set claim = @claim
where id = @id

-- name: shop-purchase.add
-- Marks an order to be attributed again, unless the shop has recorded its source.
insert into shop_purchase (order_id)
select id
from shop_order
where id = @order_id
  and attributed_by <> 'shop'
on conflict (order_id) do nothing
