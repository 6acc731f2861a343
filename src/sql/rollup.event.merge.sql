-- Adds what was derived, or the difference to what was there.
insert into event_rollup (
  period, name_id, total, visitors, sessions, value_sum, last_event_id
)
select period, name_id,
  sum(total), sum(visitors), sum(sessions), sum(value_sum), max(last_event_id)
from new_event_rollup
group by period, name_id
on conflict (period, name_id) do update
set total = total + excluded.total,
  visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  value_sum = value_sum + excluded.value_sum,
  last_event_id = max(last_event_id, excluded.last_event_id)
