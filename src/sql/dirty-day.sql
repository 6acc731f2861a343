-- name: add
insert into dirty_day (day, marks)
values (@day, 1)
on conflict (day) do update
set marks = marks + 1

-- name: list
-- A day whose rollups are out of date.
select day, marks
from dirty_day
order by day

-- name: remove
-- Only if the day did not change while it was recalculated.
delete from dirty_day
where day = @day
  and marks = @marks

-- name: packed-day.remove
delete from packed_day
where day in (@day, @next)

-- name: packed-day.remove-before
delete from packed_day
where day in (
  select day
  from packed_day
  where day < @day
  order by day
  limit @limit
)
