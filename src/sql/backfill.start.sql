update shop_backfill
set state = 'running',
  started_at = ifnull(started_at, @now),
  lease_until = @lease_until
where id = 1
  and state in ('pending', 'running')
