insert into recent_short_event (event_key, visitor_id, event_id)
values (@key, @visitor_id, @id)
