-- The number that the next session gets.
select ifnull(max(id), 0) + 1 as id
from session
