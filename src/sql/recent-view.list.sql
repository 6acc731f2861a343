-- Every view with a recent id, and the hash of that id in hexadecimal.
select view_id as id, lower(hex(hash)) as hash
from recent_view
order by view_id
