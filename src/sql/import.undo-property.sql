-- The properties of a history's events of a day.
delete from event_property
where event_id in (
  select id
  from event
  where id >= @first_view_id
    and id < @next_view_id
    and visitor_id >= @low
    and visitor_id < @high
)
