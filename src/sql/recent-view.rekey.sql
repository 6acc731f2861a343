-- The visit goes on under another visitor number, the ids of its views with it.
update or replace recent_view
set visitor_id = @visitor_id,
  scope = iif(scope = 0, 0, @visitor_id)
where view_id >= @first_id
  and visitor_id = @previous_id
