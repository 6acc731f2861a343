-- What a goal counted on a day.
insert into goal_day (goal_id, day, sessions, visitors, total, value, orders)
values (@goal_id, @day, @sessions, @visitors, @total, @value, @orders)
on conflict (goal_id, day) do update
set sessions = excluded.sessions,
  visitors = excluded.visitors,
  total = excluded.total,
  value = excluded.value,
  orders = excluded.orders
