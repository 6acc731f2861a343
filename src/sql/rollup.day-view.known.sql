-- What is known of the views that an update concerns.
insert into day_view
select *
from known_view
where session_id in (select session_id from part_session)
