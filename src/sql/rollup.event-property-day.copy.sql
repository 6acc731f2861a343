insert into event_property_day
select *
from new_event_property_day
