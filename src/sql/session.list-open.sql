-- A session that a record may still join, with its first and last view of the last days.
select s.id, s.visitor_id, s.rekeyed_visitor_id, s.started_at, s.ended_at, s.views, s.events,
  s.entry_page_id, s.exit_page_id, s.origin_id, s.campaign_id, s.place_id, s.client_id,
  s.screen_id, s.language_id, s.timezone_id,
  x.entry_view_id, x.exit_view_id
from (
  select session_id, min(id) as entry_view_id, max(id) as exit_view_id
  from view
  where id >= @first_view_id
  group by session_id
) x
join session s on s.id = x.session_id
where s.ended_at >= @since
