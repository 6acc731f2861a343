-- The summed periods within a range; the longest first of those that begin on the same day.
select period, first_day, last_day
from rolled_period
where first_day >= @from
  and last_day <= @to
  and complete
order by first_day, last_day desc
