-- One session of the day, also one that has only events on it. `hour` is 1 for the first hour of the day, and 0 if the session did not begin on it; what is
-- unknown is 0.
select id,
  visitor_id as visitor,
  iif(started_at >= @start and started_at < @end, 1 + (started_at - cast(@start as integer)) / 3600, 0) as hour,
  iif(views = 1 and events = 0, 1, 0) as bounced,
  entry_page_id as entry_page,
  exit_page_id as exit_page,
  origin_id as origin,
  ifnull(campaign_id, 0) as campaign,
  ifnull(place_id, 0) as place,
  client_id as client,
  ifnull(screen_id, 0) as screen,
  ifnull(language_id, 0) as language,
  ifnull(timezone_id, 0) as timezone,
  id / 4294967296 as id_high,
  id % 4294967296 as id_low,
  started_at
from (
  select *
  from temp.day_session
  union all
  select id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
    origin_id, campaign_id, place_id, client_id, screen_id, language_id, timezone_id
  from main.session
  where id in (select e.session_id from temp.day_event d join main.event e on e.id = d.id)
    and id not in (select id from temp.day_session)
)
order by id
