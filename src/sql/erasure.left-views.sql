insert into temp.left_view (session_id, id, page_id, ended_at)
select session_id, id, page_id, id / 1048576 + ifnull(seconds, 0)
from view
where session_id in (select id from temp.erased_session)
