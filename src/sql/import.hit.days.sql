-- The days of what was read.
select day
from temp.import_hit
union
select day
from temp.import_sum
order by day
