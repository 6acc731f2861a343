-- The state of the backfill, for the status of the shop.
select state, total, processed, refunds, started_at, finished_at, last_error, orders_in_shop
from shop_backfill
where id = 1
