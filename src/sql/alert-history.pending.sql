-- An alert that lasts, or whose end is still to be told. There are few of all.
select id, kind, began_at, ended_at, details, goal, told_at, told_end_at
from alert_history
where ended_at is null
  or (told_at is not null and told_end_at is null)
order by id
