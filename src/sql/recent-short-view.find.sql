-- The newest view of a visitor with a short id.
select view_id as id
from recent_short_view
where pvid = @key
  and visitor_id = @visitor_id
order by view_id desc
limit 1
