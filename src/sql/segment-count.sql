-- name: segment.goal-view.fill
-- The views of the selected sessions on the day: of all pages, but only of the selected hosts.
insert into temp.day_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from main.view
where id >= @first_view_id
  and id < @next_view_id
  and +session_id in (select +id from temp.selected_session)
  and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))

-- name: segment.goal-event.fill
-- The events of the day in the selected sessions, and those outside of any session where all are selected.
insert into temp.day_event (id, name_id, page_id)
select id, name_id, page_id
from main.event
where id >= @first_view_id
  and id < @next_view_id
  and (+session_id in (select +id from temp.selected_session) or (@outside and session_id is null))
  and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))
