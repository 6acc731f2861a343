-- A saved segment.
select id, name, filters, created_by, created_at
from segment
order by name
