update shop_backfill
set state = 'pending',
  mode = 'orders',
  from_day = @from,
  to_day = @to,
  cursor = @cursor,
  total = @total,
  processed = @processed,
  refunds = @refunds,
  started_at = @started_at,
  finished_at = null,
  last_error = null,
  lease_until = null,
  cancel_requested = 0
where id = 1
  and state not in ('pending', 'running')
