-- A view by its number.
select session_id, page_id
from view
where id = @id
