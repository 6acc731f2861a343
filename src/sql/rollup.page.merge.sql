-- Adds what was derived, or the difference to what was there.
insert into page_rollup (
  period, page_id, visitors, sessions, views, entries, entry_visitors, exits, exit_visitors, bounces,
  seconds, timed_views, scroll_sum, scroll_views
)
select period, page_id,
  sum(visitors), sum(sessions), sum(views), sum(entries), sum(entry_visitors), sum(exits),
  sum(exit_visitors), sum(bounces), sum(seconds), sum(timed_views), sum(scroll_sum), sum(scroll_views)
from new_page_rollup
group by period, page_id
on conflict (period, page_id) do update
set visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  views = views + excluded.views,
  entries = entries + excluded.entries,
  entry_visitors = entry_visitors + excluded.entry_visitors,
  exits = exits + excluded.exits,
  exit_visitors = exit_visitors + excluded.exit_visitors,
  bounces = bounces + excluded.bounces,
  seconds = seconds + excluded.seconds,
  timed_views = timed_views + excluded.timed_views,
  scroll_sum = scroll_sum + excluded.scroll_sum,
  scroll_views = scroll_views + excluded.scroll_views
