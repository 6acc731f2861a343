-- The last event of a second.
select max(id) as id
from event
where id >= @first
  and id < @next
