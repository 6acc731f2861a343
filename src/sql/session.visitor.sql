-- The visitor that a session has now.
select ifnull(rekeyed_visitor_id, visitor_id) as visitor_id
from session
where id = @id
