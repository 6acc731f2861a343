-- The switch of an alert.
insert into alert (kind, threshold, hours, enabled)
values (@kind, @threshold, @hours, @enabled)
on conflict (kind) do update
set threshold = excluded.threshold,
  hours = excluded.hours,
  enabled = excluded.enabled
