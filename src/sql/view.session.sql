-- The session of a view.
select session_id
from view
where id = @id
