insert into event_name (name_id)
values (@name_id)
