insert into temp.erased_event (id)
select id
from event
where session_id in (select id from temp.erased_session)
