-- Number of days before one that have rollups.
select count(*) as days
from site_day
where day < @day
