-- name: view.last-id
-- The last view of a second.
select max(id) as id
from view
where id >= @first
  and id < @next

-- name: event.last-id
-- The last event of a second.
select max(id) as id
from event
where id >= @first
  and id < @next
