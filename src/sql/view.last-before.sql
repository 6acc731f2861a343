-- The last view before a moment.
select max(id) as last_view
from view
where id < @next
