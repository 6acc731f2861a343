-- name: find
-- The state of the backfill: a single row.
select state, from_day, to_day, cursor, total, processed, refunds, started_at, finished_at, last_error, orders_in_shop
from shop_backfill
where id = 1

-- name: request
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
  last_error = null
where id = 1
  and state not in ('pending', 'running')

-- name: start
update shop_backfill
set state = 'running',
  started_at = ifnull(started_at, @now)
where id = 1
  and state in ('pending', 'running')

-- name: progress
update shop_backfill
set cursor = @cursor,
  total = @total,
  processed = @processed,
  refunds = @refunds,
  orders_in_shop = @orders_in_shop,
  last_error = null
where id = 1
  and state = 'running'

-- name: push
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
  last_error = @last_error
where id = 1

-- name: wait
update shop_backfill
set last_error = @reason
where id = 1
  and state = 'running'

-- name: finish
update shop_backfill
set state = @state,
  finished_at = @now,
  last_error = @last_error
where id = 1
  and state in ('pending', 'running')
