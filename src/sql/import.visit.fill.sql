insert into temp.import_visit (number, visit, started_at)
select min(id), visit, min(at)
from temp.import_hit
group by visit
