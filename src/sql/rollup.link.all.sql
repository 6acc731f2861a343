-- The visitors of the day's sessions: that of the session itself, and those of its views.
insert into link (session_id, visitor_id)
select id, visitor_id
from day_session
union
select session_id, visitor_id
from day_view
