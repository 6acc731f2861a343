-- The baseline of the sessions affected by an update.
insert into day_session
select *
from known_session
where id in (select session_id from part_session)
