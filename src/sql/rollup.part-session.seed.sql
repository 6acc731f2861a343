-- The sessions that have changed, and those of the views that have.
insert or ignore into part_session (session_id)
select value
from json_each(@sessions)
union all
select session_id
from changed_view
