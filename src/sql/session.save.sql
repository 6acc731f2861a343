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
  language_id = @language_id,
  timezone_id = @timezone_id
where id = @id
