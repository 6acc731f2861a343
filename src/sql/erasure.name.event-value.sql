delete from event_value
where name_id = @id
