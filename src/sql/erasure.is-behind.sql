-- A day with outdated rollups.
select day
from dirty_day
where day = @day
