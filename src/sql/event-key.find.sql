-- A known key of an event name.
select key_id
from event_key
where name_id = @name_id
  and key_id = @key_id
