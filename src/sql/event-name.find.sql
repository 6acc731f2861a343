-- A known event name.
select name_id
from event_name
where name_id = @name_id
