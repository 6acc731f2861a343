delete from event_name
where name_id = @id
