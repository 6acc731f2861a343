-- A second in which a visitor's sessions, views or events lie; from these follow the days to derive anew.
select started_at as second
from session
where visitor_id = @visitor_id
  or rekeyed_visitor_id = @visitor_id
union
select id / 1048576
from view
where visitor_id = @visitor_id
union
select id / 1048576
from event
where visitor_id = @visitor_id
