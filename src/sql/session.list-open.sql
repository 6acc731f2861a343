-- A session that a record may still join, with its first and last view.
select s.id, s.visitor_id, s.rekeyed_visitor_id, s.started_at, s.ended_at, s.views, s.events,
  s.entry_page_id, s.exit_page_id, s.origin_id, s.campaign_id, s.place_id, s.client_id,
  s.screen_id, s.language_id, s.timezone_id,
  r.entry_view_id, r.exit_view_id
from recent_session r
join session s on s.id = r.session_id
where r.ended_at >= @since
order by s.id
