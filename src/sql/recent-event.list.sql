-- Each event whose id is known, with the hash of that.
select event_id as id, hash
from recent_event
order by event_id
