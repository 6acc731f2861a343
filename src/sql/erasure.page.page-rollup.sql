delete from page_rollup
where page_id = @id
