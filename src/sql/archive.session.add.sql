-- An existing session is kept, unless it is to be replaced.
insert into session (
  id, visitor_id, rekeyed_visitor_id, started_at, ended_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, timezone_id
)
values (
  @id, @visitor_id, @rekeyed_visitor_id, @started_at, @ended_at, @views, @events, @entry_page_id, @exit_page_id,
  @origin_id, @campaign_id, @place_id, @client_id, @screen_id, @language_id, @timezone_id
)
on conflict (id) do update
set visitor_id = excluded.visitor_id,
  rekeyed_visitor_id = excluded.rekeyed_visitor_id,
  started_at = excluded.started_at,
  ended_at = excluded.ended_at,
  views = excluded.views,
  events = excluded.events,
  entry_page_id = excluded.entry_page_id,
  exit_page_id = excluded.exit_page_id,
  origin_id = excluded.origin_id,
  campaign_id = excluded.campaign_id,
  place_id = excluded.place_id,
  client_id = excluded.client_id,
  screen_id = excluded.screen_id,
  language_id = excluded.language_id,
  timezone_id = excluded.timezone_id
where @replace
