insert into temp.new_page_rollup (
  period, page_id, visitors, sessions, views, entries, entry_visitors, exits, exit_visitors, bounces,
  seconds, timed_views, scroll_sum, scroll_views
)
values (
  @period, @page_id, @visitors, @sessions, @views, @entries, @entry_visitors, @exits, @exit_visitors, @bounces,
  @seconds, @timed_views, @scroll_sum, @scroll_views
)
