delete from recent_short_event
where visitor_id = @visitor_id
