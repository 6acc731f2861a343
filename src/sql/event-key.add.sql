insert into event_key (name_id, key_id)
values (@name_id, @key_id)
