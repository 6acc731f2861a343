-- name: goal.list
-- A goal.
select id, name, kind, pattern, threshold, property, value_from, value, position, created_at
from goal
order by position, id

-- name: funnel.list
-- A funnel.
select id, name, steps, strict, created_at
from funnel
order by name
