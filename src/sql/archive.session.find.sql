-- A session that has a number already.
select visitor_id, started_at, ended_at
from session
where id = @id
