-- A visit continues under another visitor number: the short ids of its views move with it.
update recent_short_view
set visitor_id = @visitor_id
where view_id >= @first_id
  and visitor_id = @previous_id
  and view_id in (select id from view where id >= @first_id and session_id = @session_id)
