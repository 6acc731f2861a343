-- How many visits made a step of a funnel on a day.
insert into funnel_step_day (funnel_id, day, step, sessions, next)
values (@funnel_id, @day, @step, @sessions, @next)
on conflict (funnel_id, day, step) do update
set sessions = excluded.sessions,
  next = excluded.next
