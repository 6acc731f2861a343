-- The visits that lose some of their views or events.
insert or ignore into temp.erased_session (id)
select session_id
from view
where id in (select id from temp.erased_view)
union
select session_id
from event
where id in (select id from temp.erased_event)
  and session_id is not null;
