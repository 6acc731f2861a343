-- One page of a day, in texts, of what was derived or fetched.
select p.path as path, n.visitors, n.sessions, n.views, n.entries, n.entry_visitors, n.exits,
  n.exit_visitors, n.bounces, n.seconds, n.timed_views, n.scroll_sum, n.scroll_views
from new_page_rollup n
join page p on p.id = n.page_id
order by path
