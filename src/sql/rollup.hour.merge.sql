-- Adds what was derived, or the difference to what was there.
insert into hour_day (
  day, hour, visitors, sessions, views, bounces, seconds
)
select day, hour,
  sum(visitors), sum(sessions), sum(views), sum(bounces), sum(seconds)
from new_hour_day
group by day, hour
on conflict (day, hour) do update
set visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  views = views + excluded.views,
  bounces = bounces + excluded.bounces,
  seconds = seconds + excluded.seconds
