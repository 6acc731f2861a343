-- The new alert.
insert into alert_history (kind, began_at, ended_at, details, goal, told_at, told_end_at)
values (@kind, @began_at, @ended_at, @details, @goal, @told_at, @told_end_at)
returning id
