-- A day of an import.
select day, stored
from import_day
where import_id = @import_id
order by day
