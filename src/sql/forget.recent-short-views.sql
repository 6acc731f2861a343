delete from recent_short_view
where visitor_id = @visitor_id
