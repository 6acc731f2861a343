insert into event_property (event_id, key_id, value_id)
values (@event_id, @key_id, @value_id)
