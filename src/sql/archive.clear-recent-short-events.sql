delete from recent_short_event
where event_id >= @first_view_id
  and event_id < @next_view_id
