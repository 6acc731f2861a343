insert into recent_event (event_key, scope, event_id)
values (@event_key, @scope, @event_id)
