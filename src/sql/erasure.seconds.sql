-- A second at which something was deleted or changed; from these follow the days to rebuild.
select second
from temp.changed_second
