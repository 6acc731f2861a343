-- The newest event of a visitor with a short id.
select event_id as id
from recent_short_event
where event_key = @key
  and visitor_id = @visitor_id
order by event_id desc
limit 1
