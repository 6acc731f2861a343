-- Sorted by primary key: rows inserted in order are appended.
insert into changed_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from view
where id in (select value from json_each(@views))
order by session_id, id
