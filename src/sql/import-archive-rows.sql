-- name: archive.session.add
-- An existing session is kept, unless it is to be replaced.
insert into session (
  id, visitor_id, rekeyed_visitor_id, started_at, ended_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, evidence, suspect
)
values (
  @id, @visitor_id, @rekeyed_visitor_id, @started_at, @ended_at, @views, @events, @entry_page_id, @exit_page_id,
  @origin_id, @campaign_id, @place_id, @client_id, @screen_id, @language_id, @evidence, @suspect
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
  evidence = excluded.evidence,
  suspect = excluded.suspect
where @replace

-- name: archive.session.find
-- The stored session with an id.
select visitor_id, started_at, ended_at
from session
where id = @id

-- name: archive.view.add
insert into view (id, session_id, visitor_id, page_id, title_id, seconds, scroll)
values (@id, @session_id, @visitor_id, @page_id, @title_id, @seconds, @scroll)

-- name: archive.event.add
-- An imported event keeps its id.
insert into event (id, session_id, visitor_id, page_id, name_id, value, order_id)
values (@id, @session_id, @visitor_id, @page_id, @name_id, @value, @order_id)

-- name: archive.property.add
insert into event_property (event_id, key_id, value_id)
values (@event_id, @key_id, @value_id)

-- name: archive.ledger.add
-- Existing counts are kept.
insert into ledger (day, outcome, requests)
values (@day, @outcome, @requests)
on conflict (day, outcome) do nothing
