delete from event_property
where event_id in (
  select id
  from event
  where id < @before
  order by id
  limit @bite
)
