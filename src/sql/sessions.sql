-- name: session.add
insert into session (
  id, visitor_id, rekeyed_visitor_id, started_at, ended_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, evidence, suspect
)
values (
  @id, @visitor_id, @rekeyed_visitor_id, @started_at, @ended_at, @views, @events, @entry_page_id, @exit_page_id,
  @origin_id, @campaign_id, @place_id, @client_id, @screen_id, @language_id, @evidence, @suspect
)

-- name: session.save
-- A session whose values changed.
update session
set visitor_id = @visitor_id,
  rekeyed_visitor_id = @rekeyed_visitor_id,
  started_at = @started_at,
  ended_at = @ended_at,
  views = @views,
  events = @events,
  entry_page_id = @entry_page_id,
  exit_page_id = @exit_page_id,
  origin_id = @origin_id,
  campaign_id = @campaign_id,
  place_id = @place_id,
  client_id = @client_id,
  screen_id = @screen_id,
  language_id = @language_id
where id = @id

-- name: session.extend
-- An extended session. Its other columns stay; only the index of the few long sessions has one of these.
update session
set ended_at = @ended_at,
  views = @views,
  events = @events,
  exit_page_id = @exit_page_id
where id = @id

-- name: session.visitor
-- The visitor to whom a session belongs now.
select ifnull(rekeyed_visitor_id, visitor_id) as visitor_id
from session
where id = @id

-- name: session.list-open
-- A session that a record may still join, with the first and last of its views since @first_view_id, or null.
with open as (
  select *
  from session
  where started_at >= @since - 21600
    and ended_at >= @since
  union all
  select *
  from session
  where started_at < @since - 21600
    and ended_at >= @since
    and ended_at - started_at > 21600
),
seen as (
  select session_id, count(*) as views, min(id) as entry_view_id, max(id) as exit_view_id
  from view
  where id >= @first_view_id
  group by session_id
)
select o.*, v.views as seen_views, v.entry_view_id, v.exit_view_id,
  o.id in (select session_id from left_out) as is_left_out
from open o
left join seen v on v.session_id = o.id
-- By time, as those of all numbers are many.
where +o.id >= @first_id
  and +o.id < @next_id
