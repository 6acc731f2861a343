-- A page of the alerts that were raised, newest first.
select id, kind, began_at, ended_at, details, goal, told_at, told_end_at
from alert_history
order by began_at desc, id desc
limit @limit
offset @offset
