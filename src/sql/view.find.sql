-- A view by its id.
select session_id, page_id
from view
where id = @id
