-- One filter of the segment.
select filter, included
from temp.active_filter
