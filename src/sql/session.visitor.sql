-- The visitor to whom a session belongs now.
select ifnull(rekeyed_visitor_id, visitor_id) as visitor_id
from session
where id = @id
