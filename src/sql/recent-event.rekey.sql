-- The visit goes on under another visitor number, the short ids of its events with it.
update or replace recent_event
set scope = @visitor_id
where event_id >= @first_id
  and scope = @previous_id
