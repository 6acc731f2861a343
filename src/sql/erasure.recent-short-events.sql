delete from recent_short_event
where event_id in (select id from temp.erased_event)
