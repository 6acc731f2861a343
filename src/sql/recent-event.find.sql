-- The event with this number, if it still has this id.
select event_id as id
from recent_event
where event_id = @id
  and hash = @hash
