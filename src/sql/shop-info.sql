-- name: save
insert into shop_info (id, woocommerce_version, currency, hpos_enabled, attribution_enabled, checked_at)
values (1, @woocommerce_version, @currency, @hpos_enabled, @attribution_enabled, @checked_at)
on conflict (id) do update
set woocommerce_version = excluded.woocommerce_version,
  currency = ifnull(excluded.currency, currency),
  hpos_enabled = excluded.hpos_enabled,
  attribution_enabled = excluded.attribution_enabled,
  checked_at = excluded.checked_at

-- name: checked
-- When the shop's information was last fetched.
select checked_at
from shop_info
where id = 1
