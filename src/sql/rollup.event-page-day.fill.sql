-- One page on which events of a name happened on the day.
insert into new_event_page_day (name_id, day, page_id, total)
select name_id, @day, page_id, count(*)
from event
where id >= @first_view_id
  and id < @next_view_id
  and page_id is not null
group by name_id, page_id
