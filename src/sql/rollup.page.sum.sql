-- The parts of a longer period added up.
insert into new_page_rollup (
  period, page_id, visitors, sessions, views, entries, entry_visitors, exits, exit_visitors, bounces,
  seconds, timed_views, scroll_sum, scroll_views
)
select cast(@period as integer), page_id,
  sum(visitors), sum(sessions), sum(views), sum(entries), sum(entry_visitors), sum(exits),
  sum(exit_visitors), sum(bounces), sum(seconds), sum(timed_views), sum(scroll_sum), sum(scroll_views)
from page_rollup
where period in (select value from json_each(@parts))
group by page_id
