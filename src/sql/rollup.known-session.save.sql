-- The current state of sessions.
insert or replace into known_session (
  id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, timezone_id
)
select id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, timezone_id
from session
where id in (select value from json_each(@sessions))
