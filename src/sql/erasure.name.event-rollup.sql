delete from event_rollup
where name_id = @id
