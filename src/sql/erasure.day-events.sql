insert into temp.erased_event (id)
select id
from event
where id >= @first_view_id
  and id < @next_view_id
