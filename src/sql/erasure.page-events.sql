insert into temp.erased_event (id)
select id
from event
where page_id = @id
