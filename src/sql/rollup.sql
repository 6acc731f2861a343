-- name: rollup.visit.fill
-- One visit (a session and one of its visitors) of the day: its views, and whether the session began on the day.
with viewed as materialized (
  select session_id, visitor_id, count(*) as views
  from day_view
  group by session_id, visitor_id
)
insert into visit (
  session_id, visitor_id, views, began, bounced,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, suspect
)
select s.id, v.visitor_id, v.views,
  s.started_at >= @start and s.started_at < @end,
  s.started_at >= @start and s.started_at < @end and s.views = 1 and s.events = 0,
  s.origin_id, s.campaign_id, s.place_id, s.client_id, s.screen_id, s.language_id, s.suspect
from viewed v
join day_session s on s.id = v.session_id
union all
select s.id, s.visitor_id, 0, 1, s.views = 1 and s.events = 0,
  s.origin_id, s.campaign_id, s.place_id, s.client_id, s.screen_id, s.language_id, s.suspect
from day_session s
where s.started_at >= @start
  and s.started_at < @end
  and s.id not in (select session_id from viewed)

-- name: rollup.visit.mark-shared
-- Marks the visits whose visitor or session has another visit on the day: midnight, consent and returning visitors.
update visit
set is_only_visit = 0
where visitor_id in (select visitor_id from visit group by visitor_id having count(*) > 1)
  or session_id in (select session_id from visit group by session_id having count(*) > 1)

-- name: rollup.host.fill
-- One host with a view on the day, or on which a session began. Visitors are those with a view on it.
with viewed as (
  select p.host_id, count(distinct v.visitor_id) as visitors, count(*) as views
  from day_view v
  join page p on p.id = v.page_id
  group by p.host_id
),
entered as (
  select p.host_id,
    count(*) as sessions,
    count(*) filter (where s.views = 1 and s.events = 0) as bounces
  from day_session s
  join page p on p.id = s.entry_page_id
  where s.started_at >= @start
    and s.started_at < @end
  group by p.host_id
)
insert into new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'host', @day, h.name, '',
  @sign * ifnull(v.visitors, 0), @sign * ifnull(e.sessions, 0), @sign * ifnull(v.views, 0), @sign * ifnull(e.bounces, 0)
from host h
left join viewed v on v.host_id = h.id
left join entered e on e.host_id = h.id
where v.host_id is not null
  or e.host_id is not null

-- name: rollup.site.fill
-- The totals of one day: views, visitors and seconds of its views; sessions and bounces of the sessions that began on it.
insert into new_site_day (day, visitors, sessions, views, bounces, seconds)
select @day, @sign * v.visitors, @sign * s.sessions, @sign * v.views, @sign * s.bounces, @sign * v.seconds
from (
  select count(distinct visitor_id) as visitors,
    count(*) as views,
    ifnull(sum(seconds), 0) as seconds
  from day_view
) v
join (
  select count(*) as sessions,
    count(*) filter (where views = 1 and events = 0) as bounces
  from day_session
  where started_at >= @start
    and started_at < @end
) s
where v.views > 0
  or s.sessions > 0

-- name: rollup.hour.fill
-- The totals of one hour, by its number in the day. Large numbers are bound as reals, hence the casts.
insert into new_hour_day (day, hour, visitors, sessions, views, bounces, seconds)
select @day, hour,
  @sign * sum(visitors), @sign * sum(sessions), @sign * sum(views), @sign * sum(bounces), @sign * sum(seconds)
from (
  select (id / 1048576 - cast(@day_start as integer) + iif(id / 1048576 >= @shifted_from, cast(@shifted_by as integer), 0)) / 3600 as hour,
    count(distinct visitor_id) as visitors,
    0 as sessions,
    count(*) as views,
    0 as bounces,
    ifnull(sum(seconds), 0) as seconds
  from day_view
  group by hour
  union all
  select (started_at - cast(@day_start as integer) + iif(started_at >= @shifted_from, cast(@shifted_by as integer), 0)) / 3600 as hour,
    0,
    count(*),
    0,
    count(*) filter (where views = 1 and events = 0),
    0
  from day_session
  where started_at >= @start
    and started_at < @end
  group by hour
)
group by hour

-- name: rollup.page.fill
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

-- name: rollup.title.fill
-- The number of views of a page with a title on the day.
insert into new_title_day (page_id, day, title_id, views)
select page_id, @day, title_id, @sign * count(*)
from day_view
where title_id is not null
group by page_id, title_id

-- name: rollup.source.fill
-- One source of visits.
insert into new_source_rollup (period, origin_id, visitors, sessions, views, bounces)
select @day, v.id,
  @sign * (sum(v.visitors) + count(distinct iif(v.views > 0, v.visitor_id, null))),
  @sign * (sum(v.sessions) + count(distinct iif(v.began, v.session_id, null))),
  @sign * sum(v.views),
  @sign * (sum(v.bounces) + count(distinct iif(v.bounced, v.session_id, null)))
from visit_origin v
group by v.id

-- name: rollup.event.fill
-- One event name of the day that has new events; recounted, because distinct visitors cannot be summed.
-- Values beyond the limit were stored by older versions.
insert into new_event_rollup (period, name_id, total, visitors, sessions, value_sum, last_event_id)
select @day, name_id,
  count(*), count(distinct visitor_id), count(distinct session_id),
  ifnull(sum(value) filter (where abs(value) <= 1e12), 0.0), max(id)
from event
where id >= @first_view_id
  and id < @next_view_id
  and name_id in (select name_id from day_event)
  and (session_id is null or session_id not in (select session_id from main.left_out))
group by name_id

-- name: rollup.event-property.fill
-- One value of a property of the events of a name on the day.
insert into new_event_property_rollup (name_id, period, key_id, value_id, total)
select e.name_id, @day, p.key_id, p.value_id, count(*)
from day_event e
join event_property p on p.event_id = e.id
group by e.name_id, p.key_id, p.value_id

-- name: rollup.event-page.fill
-- One page on which events of a name happened on the day.
insert into new_event_page_rollup (name_id, period, page_id, total)
select name_id, @day, page_id, count(*)
from day_event
where page_id is not null
group by name_id, page_id

-- name: rollup.funnel.fill
-- One stage that sessions reached on the day, of those that have new events; an event's name with wc_ before it means the same.
insert into new_funnel_day (day, stage, sessions)
select @day, replace(n.text, 'wc_', '') as stage, count(distinct e.session_id)
from event e
cross join label n on n.id = e.name_id
where e.id >= @first_view_id
  and e.id < @next_view_id
  and e.session_id is not null
  and e.session_id not in (select session_id from main.left_out)
  and n.text in ('product_view', 'add_to_cart', 'checkout_start', 'wc_product_view', 'wc_add_to_cart', 'wc_checkout_start')
  and replace(n.text, 'wc_', '') in (
    select replace(l.text, 'wc_', '')
    from day_event d
    join label l on l.id = d.name_id
  )
group by replace(n.text, 'wc_', '')

-- name: rollup.event.clear-new
-- The event names that are recounted.
delete from event_rollup
where period = @period
  and name_id in (select name_id from day_event)

-- name: rollup.funnel.clear-new
-- The funnel stages that are recounted.
delete from funnel_day
where day = @period
  and stage in (
    select replace(l.text, 'wc_', '')
    from day_event d
    join label l on l.id = d.name_id
  )
