-- Installations whose ids were imported, and the number of their id range.
select installation, number
from archive_origin
order by number
