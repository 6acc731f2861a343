delete from event_page_rollup
where name_id = @id
