-- The stored session with an id.
select visitor_id, started_at, ended_at
from session
where id = @id
