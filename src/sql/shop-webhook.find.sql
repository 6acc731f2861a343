-- What became of the deliveries of the shop's webhooks.
select last_received_at, rejected
from shop_webhook
where id = 1
