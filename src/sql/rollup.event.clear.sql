delete from event_rollup
where period = @period
