-- name: segment.goal-day.first
-- The first day that is stored of a goal; null if none is.
select min(day) as day
from main.goal_day
where goal_id = @id

-- name: segment.funnel-step.first
-- The first day that is stored of a funnel; null if none is.
select min(day) as day
from main.funnel_step_day
where funnel_id = @id

-- name: segment.goal-day.list
-- What a saved goal counted on a day whose single visits are gone.
select day, sessions, visitors, total, value, orders
from main.goal_day
where goal_id = @id
  and day >= @from
  and day <= @to

-- name: segment.funnel-step.list
-- How far visits came in a saved funnel on a day whose single visits are gone.
select day, step, sessions, next
from main.funnel_step_day
where funnel_id = @id
  and day >= @from
  and day <= @to
