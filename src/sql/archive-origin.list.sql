-- An installation whose numbers the file has, and by which number.
select installation, number
from archive_origin
order by number
