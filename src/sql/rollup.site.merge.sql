-- Adds what was derived, or the difference to what was there.
insert into site_day (
  day, visitors, sessions, views, bounces, seconds
)
select day,
  sum(visitors), sum(sessions), sum(views), sum(bounces), sum(seconds)
from new_site_day
group by day
on conflict (day) do update
set visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  views = views + excluded.views,
  bounces = bounces + excluded.bounces,
  seconds = seconds + excluded.seconds
