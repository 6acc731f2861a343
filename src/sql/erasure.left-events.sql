-- A page that was not found does not end a bounce.
insert into temp.left_event (session_id, id, active)
select e.session_id, e.id, l.text <> 'not_found'
from event e
join label l on l.id = e.name_id
where e.session_id in (select id from temp.erased_session)
