update shop_backfill
set cursor = @cursor,
  total = @total,
  processed = @processed,
  refunds = @refunds,
  orders_in_shop = @orders_in_shop,
  last_error = null,
  lease_until = @lease_until
where id = 1
  and state = 'running'
