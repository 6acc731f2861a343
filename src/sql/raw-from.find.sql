-- The first day that still has all its raw rows; none while nothing was purged.
select value as day
from installation
where name = 'raw_from'
