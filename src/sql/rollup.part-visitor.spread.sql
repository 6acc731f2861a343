-- Adds the visitors of the affected sessions.
insert or ignore into part_visitor (visitor_id)
select visitor_id
from link
where session_id in (select session_id from part_session)
