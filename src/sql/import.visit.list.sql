-- The visits that begin on a day, in order.
select number, visit
from temp.import_visit
where started_at >= @start
  and started_at < @end
order by started_at, number
