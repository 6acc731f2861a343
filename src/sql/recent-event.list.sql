-- Every event with a recent id, and the hash of that id in hexadecimal.
select event_id as id, lower(hex(hash)) as hash
from recent_event
order by event_id
