-- What a saved goal counted on a day whose single visits are gone.
select day, sessions, visitors, total, value, orders
from main.goal_day
where goal_id = @id
  and day >= @from
  and day <= @to
