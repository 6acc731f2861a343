-- The days of a month added up.
insert into new_page_rollup (
  period, page_id, visitors, sessions, views, entries, entry_visitors, exits, exit_visitors, bounces,
  seconds, timed_views, scroll_sum, scroll_views
)
select cast(@month as integer), page_id,
  sum(visitors), sum(sessions), sum(views), sum(entries), sum(entry_visitors), sum(exits),
  sum(exit_visitors), sum(bounces), sum(seconds), sum(timed_views), sum(scroll_sum), sum(scroll_views)
from page_rollup
where period > @month
  and period < @month + 100
group by page_id
