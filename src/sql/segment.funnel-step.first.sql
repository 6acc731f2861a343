-- The first day that is stored of a funnel; null if none is.
select min(day) as day
from main.funnel_step_day
where funnel_id = @id
