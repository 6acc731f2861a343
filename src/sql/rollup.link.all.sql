-- Which visitors the day's sessions have: that of their first day, and those of their views.
insert into link (session_id, visitor_id)
select id, visitor_id
from day_session
union
select session_id, visitor_id
from day_view
