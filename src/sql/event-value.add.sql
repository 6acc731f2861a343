insert into event_value (name_id, key_id, value_id)
values (@name_id, @key_id, @value_id)
