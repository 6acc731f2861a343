-- The first day that is stored of a goal; null if none is.
select min(day) as day
from main.goal_day
where goal_id = @id
