delete from page_rollup
where period = @period
