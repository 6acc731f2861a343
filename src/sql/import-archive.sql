-- name: archive.has-data
-- Whether the database has any data.
select exists (select 1 from site_day)
  or exists (select 1 from event_rollup)
  or exists (select 1 from ledger)
  or exists (select 1 from dirty_day) as found
