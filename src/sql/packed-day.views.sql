-- One view of the day, ordered by session. `seconds` and `scroll` are one more than their value, 0 if unknown.
select session_id as session,
  visitor_id as visitor,
  page_id as page,
  ifnull(seconds + 1, 0) as seconds,
  ifnull(scroll + 1, 0) as scroll,
  (id / 1048576 - cast(@start as integer)) / 3600 as hour
from temp.day_view
order by session_id, id
