-- Each view whose id is known, with the hash of that.
select view_id as id, hash
from recent_view
order by view_id
