delete from event
where visitor_id = @visitor_id
