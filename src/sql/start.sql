-- name: first-day
-- The first day on which anything was counted; null before that.
select min(day) as day
from site_day
where views > 0
