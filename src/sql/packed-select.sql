-- name: segment.page-hosts
-- Every page with its host.
select id, host_id
from main.page
