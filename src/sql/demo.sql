-- name: used
-- Whether the file has counted anything, or has orders: then nothing made up goes into it.
select exists (select 1 from site_day)
  or exists (select 1 from event_rollup)
  or exists (select 1 from dirty_day)
  or exists (select 1 from ledger)
  or exists (select 1 from shop_order) as used
