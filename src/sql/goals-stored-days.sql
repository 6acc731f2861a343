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

-- name: goal-day.save
-- What a goal counted on a day.
insert into goal_day (goal_id, day, sessions, visitors, total, value, orders)
values (@goal_id, @day, @sessions, @visitors, @total, @value, @orders)
on conflict (goal_id, day) do update
set sessions = excluded.sessions,
  visitors = excluded.visitors,
  total = excluded.total,
  value = excluded.value,
  orders = excluded.orders

-- name: funnel-step-day.save
-- How many visits made a step of a funnel on a day.
insert into funnel_step_day (funnel_id, day, step, sessions, next)
values (@funnel_id, @day, @step, @sessions, @next)
on conflict (funnel_id, day, step) do update
set sessions = excluded.sessions,
  next = excluded.next

-- name: goal-day.remove
-- What goals counted on a day.
delete from goal_day
where day = @day

-- name: funnel-step-day.remove
-- How far visits came in funnels on a day.
delete from funnel_step_day
where day = @day
