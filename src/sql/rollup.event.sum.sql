-- The parts of a longer period added up.
insert into new_event_rollup (
  period, name_id, total, visitors, sessions, value_sum, last_event_id
)
select cast(@period as integer), name_id,
  sum(total), sum(visitors), sum(sessions), sum(value_sum), max(last_event_id)
from event_rollup
where period in (select value from json_each(@parts))
group by name_id
