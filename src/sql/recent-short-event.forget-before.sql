delete from recent_short_event
where event_id < @before
