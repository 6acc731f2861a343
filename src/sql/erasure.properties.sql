delete from event_property
where event_id in (select id from temp.erased_event)
