-- Whether a day has rollups.
select exists (select 1 from site_day where day = @day)
  or exists (select 1 from event_rollup where period = @day) as found
