-- The first day with complete raw rows; no row if nothing was ever purged.
select value as day
from installation
where name = 'raw_from'
