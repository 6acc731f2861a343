-- What is known of the sessions that an update concerns.
insert into day_session
select *
from known_session
where id in (select session_id from part_session)
