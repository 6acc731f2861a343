-- Counts of the shop's webhook deliveries.
select last_received_at, rejected
from shop_webhook
where id = 1
