-- One source of a day, in texts, of what was derived or fetched.
select n.channel, n.source, n.domain, n.visitors, n.sessions, n.views, n.bounces
from new_source_rollup n
order by n.channel, n.source, n.domain
