-- One stage of a day's funnel, of what was derived or fetched.
select n.stage, n.sessions
from new_funnel_day n
order by n.stage
