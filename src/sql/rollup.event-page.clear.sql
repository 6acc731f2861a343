delete from event_page_rollup
where period = @period
