-- A key that an event name has had.
select key_id
from event_key
where name_id = @name_id
  and key_id = @key_id
