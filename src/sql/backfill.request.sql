update shop_backfill
set state = 'pending',
  from_day = @from,
  to_day = @to,
  cursor = @cursor,
  total = @total,
  processed = @processed,
  refunds = @refunds,
  started_at = @started_at,
  finished_at = null,
  last_error = null,
  lease_until = null
where id = 1
  and state not in ('pending', 'running')
