-- The sessions that have changed, and those of the views that have.
insert into part_session (session_id)
select value
from json_each(@sessions)
union
select session_id
from view
where id in (select value from json_each(@views))
