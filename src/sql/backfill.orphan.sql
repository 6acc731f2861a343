update shop_backfill
set lease_until = null
where id = 1
  and state = 'running'
