-- An alert that was raised in a time, oldest first.
select id, kind, began_at, ended_at, details, goal, told_at, told_end_at
from alert_history
where began_at >= @start
  and began_at < @end
order by began_at, id
