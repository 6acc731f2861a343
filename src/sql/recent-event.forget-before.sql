delete from recent_event
where event_id < @first_view_id
