-- An event known by its id for 48 hours.
select event_id
from recent_event
where event_key = @event_key
  and scope = @scope
