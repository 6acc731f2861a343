-- The view with this number, if the client gave it this id.
select view_id as id
from recent_view
where view_id = @id
  and hash = @hash
