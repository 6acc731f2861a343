update shop_backfill
set state = @state,
  finished_at = @now,
  last_error = @last_error,
  lease_until = null
where id = 1
  and state in ('pending', 'running')
