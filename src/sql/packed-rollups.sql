-- name: segment.packed-site.add
insert into temp.new_site_day (day, visitors, sessions, views, bounces, seconds)
values (@day, @visitors, @sessions, @views, @bounces, @seconds)

-- name: segment.packed-hour.add
insert into temp.new_hour_day (day, hour, visitors, sessions, views, bounces, seconds)
values (@day, @hour, @visitors, @sessions, @views, @bounces, @seconds)

-- name: segment.packed-page.add
insert into temp.new_page_rollup (
  period, page_id, visitors, sessions, views, entries, entry_visitors, exits, exit_visitors, bounces,
  seconds, timed_views, scroll_sum, scroll_views
)
values (
  @period, @page_id, @visitors, @sessions, @views, @entries, @entry_visitors, @exits, @exit_visitors, @bounces,
  @seconds, @timed_views, @scroll_sum, @scroll_views
)

-- name: segment.packed-visit.add
insert into temp.packed_visit (breakdown, id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced)
values (@breakdown, @id, @visitors, @sessions, @views, @bounces, @visitor_id, @session_id, @began, @bounced)

-- name: segment.packed-host.add
insert into temp.new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'host', @period, name, '', @visitors, @sessions, @views, @bounces
from main.host
where id = @host
