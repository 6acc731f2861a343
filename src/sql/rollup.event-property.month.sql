-- The days of a month added up.
insert into new_event_property_rollup (
  period, name_id, key_id, value_id, total
)
select cast(@month as integer), name_id, key_id, value_id,
  sum(total)
from event_property_rollup
where period > @month
  and period < @month + 100
group by name_id, key_id, value_id
