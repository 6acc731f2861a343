delete from recent_event
where event_id in (select id from temp.erased_event)
