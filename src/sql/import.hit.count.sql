-- The number of views and events of a day.
select count(*) as hits
from temp.import_hit
where day = @day
