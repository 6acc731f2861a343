-- One name of events of a day, in texts, of what was derived or fetched.
select k.text as name, n.total, n.visitors, n.sessions, n.value_sum, n.last_event_id
from new_event_rollup n
join label k on k.id = n.name_id
order by name
