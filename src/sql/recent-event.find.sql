-- The event with this number, if the client gave it this id.
select event_id as id
from recent_event
where event_id = @id
  and hash = @hash
