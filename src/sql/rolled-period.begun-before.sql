-- The periods with sums that began before a day, and whether they reach it.
select period, last_day >= @first as reaches
from rolled_period
where first_day < @first
