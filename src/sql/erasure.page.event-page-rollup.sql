delete from event_page_rollup
where page_id = @id
