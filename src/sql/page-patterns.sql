-- name: paths
-- A path on which a page was counted.
select distinct path
from page
order by path
