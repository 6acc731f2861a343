-- The state of an import that the shop itself runs.
update shop_backfill
set started_at = case
    when @state = 'running' and state <> 'running' then @now
    else started_at
  end,
  finished_at = case when @state = 'running' then null else @now end,
  state = @state,
  from_day = null,
  to_day = null,
  cursor = null,
  total = @total,
  processed = @processed,
  refunds = @refunds,
  orders_in_shop = ifnull(@total, orders_in_shop),
  last_error = @last_error,
  lease_until = null
where id = 1
