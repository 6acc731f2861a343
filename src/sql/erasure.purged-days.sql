-- How many of the days before one have rollups of their own.
select count(*) as days
from site_day
where day < @day
