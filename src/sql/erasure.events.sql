delete from event
where id in (select id from temp.erased_event)
