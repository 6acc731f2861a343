-- The baseline of the views affected by an update.
insert into day_view
select *
from known_view
where session_id in (select session_id from part_session)
