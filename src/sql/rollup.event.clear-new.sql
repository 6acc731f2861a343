-- The event names that are recounted.
delete from event_rollup
where period = @period
  and name_id in (select name_id from day_event)
