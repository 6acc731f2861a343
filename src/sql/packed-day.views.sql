-- One view of the day, those of a session together. `seconds` and `scroll` are 0 where they are unknown, else one more.
select session_id as session,
  visitor_id as visitor,
  page_id as page,
  ifnull(seconds + 1, 0) as seconds,
  ifnull(scroll + 1, 0) as scroll,
  (id / 1048576 - cast(@start as integer)) / 3600 as hour
from temp.day_view
order by session_id, id
