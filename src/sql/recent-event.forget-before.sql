delete from recent_event
where event_id < @before
