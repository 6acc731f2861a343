delete from event_key
where name_id = @id
