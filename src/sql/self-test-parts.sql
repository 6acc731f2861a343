-- name: self-test.newest-view
-- The newest view; one row.
select max(id) as id
from view
