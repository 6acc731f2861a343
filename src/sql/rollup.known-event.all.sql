insert into known_event (id)
select id
from day_event
