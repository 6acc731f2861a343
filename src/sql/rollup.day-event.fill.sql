-- The events of a day.
insert into day_event (id, name_id, page_id)
select id, name_id, page_id
from event
where id >= @first_view_id
  and id < @next_view_id
