-- One session of the day. `hour` is 1 for the first hour of the day, and 0 if the session did not begin on it; what is
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
  started_at
from temp.day_session
order by id
