-- The totals of a day, in texts, of what was derived or fetched.
select n.visitors, n.sessions, n.views, n.bounces, n.seconds
from new_site_day n
