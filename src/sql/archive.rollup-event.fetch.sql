-- Takes a day's rows to hand as they are kept.
insert into new_event_rollup (
  period, name_id, total, visitors, sessions, value_sum, last_event_id
)
select period, name_id, total, visitors, sessions, value_sum, last_event_id
from event_rollup
where period = @period
