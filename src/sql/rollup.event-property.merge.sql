-- Adds what was derived, or the difference to what was there.
insert into event_property_rollup (
  period, name_id, key_id, value_id, total
)
select period, name_id, key_id, value_id,
  sum(total)
from new_event_property_rollup
group by period, name_id, key_id, value_id
on conflict (period, name_id, key_id, value_id) do update
set total = total + excluded.total
