-- The views of a day.
insert into day_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from view
where id >= @first_view_id
  and id < @next_view_id
