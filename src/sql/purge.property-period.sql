delete from event_property_rollup
where period = @period
