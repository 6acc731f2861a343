-- The times of deleted or changed rows, which determine the days to rebuild.
select second
from temp.changed_second
