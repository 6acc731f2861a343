-- The last view of a second.
select max(id) as id
from view
where id >= @first
  and id < @next
