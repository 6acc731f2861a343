-- One page with a view, an entry or an exit on the day.
with viewed as (
  select page_id,
    count(distinct visitor_id) as visitors,
    count(distinct session_id) as sessions,
    count(*) as views,
    ifnull(sum(seconds), 0) as seconds,
    count(seconds) as timed_views,
    ifnull(sum(scroll), 0) as scroll_sum,
    count(scroll) as scroll_views
  from day_view
  group by page_id
),
entered as (
  select entry_page_id as page_id,
    count(*) as entries,
    count(distinct visitor_id) as visitors,
    count(*) filter (where views = 1 and events = 0) as bounces
  from day_session
  where started_at >= @start
    and started_at < @end
  group by entry_page_id
),
left_from as (
  select exit_page_id as page_id,
    count(*) as exits,
    count(distinct visitor_id) as visitors
  from day_exit
  where started_at >= @start
    and started_at < @end
  group by exit_page_id
)
insert into new_page_rollup (
  period, page_id, visitors, sessions, views, entries, entry_visitors, exits, exit_visitors, bounces,
  seconds, timed_views, scroll_sum, scroll_views
)
select @day, p.page_id,
  @sign * ifnull(v.visitors, 0), @sign * ifnull(v.sessions, 0), @sign * ifnull(v.views, 0),
  @sign * ifnull(e.entries, 0), @sign * ifnull(e.visitors, 0), @sign * ifnull(x.exits, 0), @sign * ifnull(x.visitors, 0), @sign * ifnull(e.bounces, 0),
  @sign * ifnull(v.seconds, 0), @sign * ifnull(v.timed_views, 0), @sign * ifnull(v.scroll_sum, 0), @sign * ifnull(v.scroll_views, 0)
from (
  select page_id from viewed
  union
  select page_id from entered
  union
  select page_id from left_from
) p
left join viewed v using (page_id)
left join entered e using (page_id)
left join left_from x using (page_id)
