-- name: event-name.find
-- A known event name.
select name_id
from event_name
where name_id = @name_id

-- name: event-name.add
insert into event_name (name_id)
values (@name_id)

-- name: event-key.find
-- A known key of an event name.
select key_id
from event_key
where name_id = @name_id
  and key_id = @key_id

-- name: event-key.add
insert into event_key (name_id, key_id)
values (@name_id, @key_id)

-- name: event-value.find
-- A known value of a key of an event name.
select value_id
from event_value
where name_id = @name_id
  and key_id = @key_id
  and value_id = @value_id

-- name: event-value.add
insert into event_value (name_id, key_id, value_id)
values (@name_id, @key_id, @value_id)
