-- A day whose rollups are behind.
select day
from dirty_day
order by day
