-- The visit goes on under another visitor number, its ids of this session with it.
update recent_view
set visitor_id = @visitor_id,
  scope = iif(scope = 0, 0, @visitor_id)
where view_id >= @first_view_id
  and visitor_id = @previous_id
