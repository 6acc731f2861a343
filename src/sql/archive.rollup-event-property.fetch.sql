-- Takes a day's rows to hand as they are kept.
insert into new_event_property_rollup (
  period, name_id, key_id, value_id, total
)
select period, name_id, key_id, value_id, total
from event_property_rollup
where period = @period
