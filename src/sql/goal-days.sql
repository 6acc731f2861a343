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
