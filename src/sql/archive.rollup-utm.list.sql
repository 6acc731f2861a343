-- One value of grouped UTM keys of a day, in texts, of what was derived or fetched.
select n.grouping, n.source, n.medium, n.campaign, n.term, n.content, n.visitors, n.sessions, n.views,
  n.bounces
from new_utm_rollup n
order by n.grouping, n.source, n.medium, n.campaign, n.term, n.content
