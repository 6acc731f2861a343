-- One filter that is asked for.
select filter, wanted
from temp.asked
