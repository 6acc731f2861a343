-- The alert of an archive, unless there is one of the same kind and moment.
insert into alert_history (kind, began_at, ended_at, details, goal, told_at, told_end_at)
select @kind, @began_at, @ended_at, @details, @goal, @told_at, @told_end_at
where not exists (
  select 1
  from alert_history
  where began_at = @began_at
    and kind = @kind
)
