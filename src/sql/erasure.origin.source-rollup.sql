delete from source_rollup
where domain = @domain
