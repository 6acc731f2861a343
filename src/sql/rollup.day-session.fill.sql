-- The sessions that began on a day or have a view on it.
insert into day_session (
  id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, timezone_id
)
select id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, timezone_id
from session
where id in (
  select id
  from session
  where started_at >= @start
    and started_at < @end
  union
  select session_id
  from day_view
)
