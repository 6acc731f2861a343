-- A known value of a key of an event name.
select value_id
from event_value
where name_id = @name_id
  and key_id = @key_id
  and value_id = @value_id
