-- The parts of a longer period added up.
insert into new_event_property_rollup (
  period, name_id, key_id, value_id, total
)
select cast(@period as integer), name_id, key_id, value_id,
  sum(total)
from event_property_rollup
where period in (select value from json_each(@parts))
group by name_id, key_id, value_id
