insert into session (
  id, visitor_id, rekeyed_visitor_id, started_at, ended_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, timezone_id
)
values (
  @id, @visitor_id, @rekeyed_visitor_id, @started_at, @ended_at, @views, @events, @entry_page_id, @exit_page_id,
  @origin_id, @campaign_id, @place_id, @client_id, @screen_id, @language_id, @timezone_id
)
