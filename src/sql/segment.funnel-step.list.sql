-- How far visits came in a saved funnel on a day whose single visits are gone.
select day, step, sessions, next
from main.funnel_step_day
where funnel_id = @id
  and day >= @from
  and day <= @to
