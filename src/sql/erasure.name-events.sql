insert into temp.erased_event (id)
select id
from event
where name_id = @id
