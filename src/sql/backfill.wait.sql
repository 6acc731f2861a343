update shop_backfill
set last_error = @reason,
  lease_until = @lease_until
where id = 1
  and state = 'running'
