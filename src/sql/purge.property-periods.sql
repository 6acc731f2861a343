delete from event_property_rollup
where (period, name_id, key_id, value_id) in (
  select period, name_id, key_id, value_id
  from event_property_rollup
  where period in (select value from json_each(@periods))
  limit @bite
)
