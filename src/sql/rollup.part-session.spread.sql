-- Adds the sessions of the affected visitors.
insert or ignore into part_session (session_id)
select session_id
from link
where visitor_id in (select visitor_id from part_visitor)
