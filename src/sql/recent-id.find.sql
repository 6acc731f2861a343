-- The newest view or event that was sent with this id.
select id
from recent_id
where kind = @kind
  and visitor_id = @visitor_id
  and key = @key
order by id desc
limit 1
