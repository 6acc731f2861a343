-- A day whose rollups are not yet derived anew.
select day
from dirty_day
where day = @day
