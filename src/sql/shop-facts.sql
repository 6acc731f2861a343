-- name: shop-info.find
-- The shop's information, the number of stored orders, whether recent ones have attribution, and the webhook counts.
select (select ifnull(sum(orders), 0) from revenue_period where kind = 'stored') as orders_stored,
  exists (
    select 1
    from (select attributed_by from shop_order order by id desc limit 200)
    where attributed_by = 'shop'
  ) as attribution_seen,
  i.woocommerce_version, i.hpos_enabled, i.attribution_enabled, w.last_received_at, w.rejected
from (select 1)
left join shop_info i on i.id = 1
left join shop_webhook w on w.id = 1

-- name: shop-backfill.find
-- The state of the backfill, for the status of the shop.
select state, total, processed, refunds, started_at, finished_at, last_error, orders_in_shop
from shop_backfill
where id = 1
