-- Events of the day that its rollups do not include yet.
insert into day_event (id, name_id, page_id)
select id, name_id, page_id
from event
where id in (select value from json_each(@events))
  and id >= @first_view_id
  and id < @next_view_id
  and id not in (select id from known_event)
