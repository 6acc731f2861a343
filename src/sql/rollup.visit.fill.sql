-- One visit (a session and one of its visitors) of the day: its views, and whether the session began on the day.
with viewed as materialized (
  select session_id, visitor_id, count(*) as views
  from day_view
  group by session_id, visitor_id
)
insert into visit (
  session_id, visitor_id, views, began, bounced,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, timezone_id
)
select s.id, v.visitor_id, v.views,
  s.started_at >= @start and s.started_at < @end,
  s.started_at >= @start and s.started_at < @end and s.views = 1 and s.events = 0,
  s.origin_id, s.campaign_id, s.place_id, s.client_id, s.screen_id, s.language_id, s.timezone_id
from viewed v
join day_session s on s.id = v.session_id
union all
select s.id, s.visitor_id, 0, 1, s.views = 1 and s.events = 0,
  s.origin_id, s.campaign_id, s.place_id, s.client_id, s.screen_id, s.language_id, s.timezone_id
from day_session s
where s.started_at >= @start
  and s.started_at < @end
  and s.id not in (select session_id from viewed)
