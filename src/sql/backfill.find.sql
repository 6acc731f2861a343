-- The state of the backfill: a single row.
select state, from_day, to_day, cursor, total, processed, refunds, started_at, finished_at, last_error, orders_in_shop, lease_until
from shop_backfill
where id = 1
