-- What the shop says of itself, and what its stored orders tell: how many they are, and whether new ones know their way.
select (select ifnull(sum(orders), 0) from revenue_period where kind = 'stored') as orders_stored,
  exists (
    select 1
    from (select attributed_by from shop_order order by id desc limit 200)
    where attributed_by = 'shop'
  ) as attribution_seen,
  i.woocommerce_version, i.hpos_enabled, i.attribution_enabled
from (select 1)
left join shop_info i on i.id = 1
