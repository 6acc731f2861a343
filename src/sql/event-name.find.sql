-- A name that events have had.
select name_id
from event_name
where name_id = @name_id
