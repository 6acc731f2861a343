-- The changed sessions, and the sessions of changed views.
insert or ignore into part_session (session_id)
select value
from json_each(@sessions)
union all
select session_id
from changed_view
