-- A goal.
select id, name, kind, pattern, threshold, property, value_from, value, position, created_at
from goal
order by position, id
