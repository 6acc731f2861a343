-- One hour of a day, in texts, of what was derived or fetched.
select n.hour, n.visitors, n.sessions, n.views, n.bounces, n.seconds
from new_hour_day n
order by n.hour
