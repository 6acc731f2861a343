delete from source_rollup
where period = @period
