-- Whether the file has counted anything yet.
select exists (select 1 from site_day)
  or exists (select 1 from event_rollup)
  or exists (select 1 from ledger)
  or exists (select 1 from dirty_day) as found
