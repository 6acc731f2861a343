-- The visit goes on under another visitor number, the short ids with it.
update or replace recent_short_view
set visitor_id = @visitor_id
where view_id >= @first_id
  and visitor_id = @previous_id
