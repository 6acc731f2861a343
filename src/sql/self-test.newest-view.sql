-- The newest view; one row.
select max(id) as id
from view
