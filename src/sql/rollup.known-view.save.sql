-- The current state of the day's views.
insert or replace into known_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from changed_view
where id >= @first_view_id
  and id < @next_view_id
