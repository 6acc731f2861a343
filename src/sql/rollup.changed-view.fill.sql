-- Sorted as the tables that take them up are: rows that come in order go to the end of a table.
insert into changed_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from view
where id in (select value from json_each(@views))
order by session_id, id
