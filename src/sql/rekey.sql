-- name: visitor.add
insert into visitor (id, day, hash)
values (@id, @day, @hash)

-- name: visitor.list
-- Every visitor with a hash.
select id, day, lower(hex(hash)) as hash
from visitor

-- name: visitor.list-lasting
-- Every visitor who is recognised on later days.
select id, lower(hex(hash)) as hash
from visitor
where day = 99991231

-- name: view.rekey
-- The views of a visit move to another visitor number.
update view
set visitor_id = @visitor_id
where id >= @first_id
  and session_id = @session_id
  and visitor_id = @previous_id

-- name: event.rekey
-- The events of a visit move to another visitor number.
update event
set visitor_id = @visitor_id
where id >= @first_id
  and session_id = @session_id
  and visitor_id = @previous_id
