delete from event_property_rollup
where (period, name_id, key_id, value_id) in (
  select period, name_id, key_id, value_id
  from event_property_rollup
  where period < @first
    and period % 100 > 0
  limit @bite
)
