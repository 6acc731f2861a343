delete from recent_event
where event_id in (select id from event where visitor_id = @visitor_id)
