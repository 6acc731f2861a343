-- The end of an alert, and when it was told.
update alert_history
set ended_at = @ended_at,
  told_at = @told_at,
  told_end_at = @told_end_at
where id = @id
