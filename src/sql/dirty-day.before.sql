-- How many days before a day are behind.
select count(*) as days
from dirty_day
where day < @day
