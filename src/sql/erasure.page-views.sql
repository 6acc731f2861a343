insert into temp.erased_view (id)
select id
from view
where page_id = @id
