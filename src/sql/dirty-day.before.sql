-- The number of dirty days before a day.
select count(*) as days
from dirty_day
where day < @day
