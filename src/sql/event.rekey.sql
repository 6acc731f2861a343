-- The events of a visit move to another visitor number.
update event
set visitor_id = @visitor_id
where id >= @first_id
  and session_id = @session_id
  and visitor_id = @previous_id
