-- name: add
-- The new alert.
insert into alert_history (kind, began_at, ended_at, details, goal, told_at, told_end_at)
values (@kind, @began_at, @ended_at, @details, @goal, @told_at, @told_end_at)
returning id

-- name: save
-- The end of an alert, and when it was reported.
update alert_history
set ended_at = @ended_at,
  told_at = @told_at,
  told_end_at = @told_end_at
where id = @id

-- name: list
-- A page of the alerts that were raised, newest first.
select id, kind, began_at, ended_at, details, goal, told_at, told_end_at
from alert_history
order by began_at desc, id desc
limit @limit
offset @offset

-- name: count
-- How many alerts were raised.
select count(*) as alerts
from alert_history

-- name: between
-- An alert that was raised in a time, oldest first.
select id, kind, began_at, ended_at, details, goal, told_at, told_end_at
from alert_history
where began_at >= @start
  and began_at < @end
order by began_at, id

-- name: pending
-- An alert that lasts, or whose end is still to be reported. There are few of all.
select id, kind, began_at, ended_at, details, goal, told_at, told_end_at
from alert_history
where ended_at is null
  or (told_at is not null and told_end_at is null)
order by id

-- name: last-told
-- When alerts of a kind were last reported.
select kind, max(told_at) as told_at
from alert_history
where told_at is not null
group by kind

-- name: restore
-- The alert of an archive, unless there is one of the same kind and moment.
insert into alert_history (kind, began_at, ended_at, details, goal, told_at, told_end_at)
select @kind, @began_at, @ended_at, @details, @goal, @told_at, @told_end_at
where not exists (
  select 1
  from alert_history
  where began_at = @began_at
    and kind = @kind
)
