insert into new_event_property_rollup (
  period, name_id, key_id, value_id, total
)
values (
  @period, @name_id, @key_id, @value_id, @total
)
