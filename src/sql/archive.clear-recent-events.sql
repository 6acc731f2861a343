delete from recent_event
where event_id >= @first_view_id
  and event_id < @next_view_id
