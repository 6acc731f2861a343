delete from recent_view
where visitor_id = @visitor_id
