-- A visit continues under another visitor number: the short ids of its events move with it.
update recent_short_event
set visitor_id = @visitor_id
where event_id >= @first_id
  and visitor_id = @previous_id
  and event_id in (select id from event where id >= @first_id and session_id = @session_id)
