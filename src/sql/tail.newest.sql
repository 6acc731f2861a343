-- The view after which the next look begins.
select ifnull(max(id), 0) as view_id
from view
