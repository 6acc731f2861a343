-- A day whose rollups are out of date.
select day
from dirty_day
where day = @day
