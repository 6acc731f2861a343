-- The visit goes on under another visitor number, the short ids with it.
update or replace recent_short_event
set visitor_id = @visitor_id
where event_id >= @first_id
  and visitor_id = @previous_id
