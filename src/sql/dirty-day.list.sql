-- A day whose rollups are out of date.
select day, marks
from dirty_day
order by day
