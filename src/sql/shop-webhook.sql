-- name: find
-- Counts of the shop's webhook deliveries.
select last_received_at, rejected
from shop_webhook
where id = 1

-- name: save
insert into shop_webhook (id, last_received_at, rejected)
values (1, @last_received_at, @rejected)
on conflict (id) do update
set last_received_at = excluded.last_received_at,
  rejected = excluded.rejected
