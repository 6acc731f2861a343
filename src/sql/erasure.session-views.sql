insert into temp.erased_view (id)
select id
from view
where session_id in (select id from temp.erased_session)
