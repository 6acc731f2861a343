-- Like link.all, for changed rows only.
insert or ignore into link (session_id, visitor_id)
select id, visitor_id
from session
where id in (select session_id from part_session)
union all
select session_id, visitor_id
from changed_view
