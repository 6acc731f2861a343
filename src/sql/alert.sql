-- name: list
-- A switch of an alert that was changed.
select kind, threshold, hours, enabled
from alert
order by id

-- name: save
-- The switch of an alert.
insert into alert (kind, threshold, hours, enabled)
values (@kind, @threshold, @hours, @enabled)
on conflict (kind) do update
set threshold = excluded.threshold,
  hours = excluded.hours,
  enabled = excluded.enabled
