insert into event_day
select *
from new_event_day
