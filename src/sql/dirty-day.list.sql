-- A day whose rollups are behind.
select day, marks
from dirty_day
order by day
