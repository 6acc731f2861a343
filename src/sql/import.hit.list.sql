-- The rows of a visit, in order.
select id, visitor, at, data
from temp.import_hit
where visit = @visit
order by at, id
