-- name: saved-segment.find
-- A saved segment, by its id or else by its name.
select id, name, filters
from segment
where cast(id as text) = @wanted
  or name = @wanted
order by cast(id as text) = @wanted desc
limit 1
