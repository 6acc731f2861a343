insert into event_page_day
select *
from new_event_page_day
