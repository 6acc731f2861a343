-- The longer periods within a range that are summed up; of those that begin on one day the longest first.
select period, first_day, last_day
from rolled_period
where first_day >= @from
  and last_day <= @to
  and complete
order by first_day, last_day desc
