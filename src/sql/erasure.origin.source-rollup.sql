delete from source_rollup
where origin_id in (select id from origin where domain = @domain)
