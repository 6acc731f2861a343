-- The number of erasures run so far. The service reloads its in-memory state when another process changes it.
select value as number
from installation
where name = 'erasures'
