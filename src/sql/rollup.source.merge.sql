-- Adds what was derived, or the difference to what was there.
insert into source_rollup (
  period, origin_id, visitors, sessions, views, bounces
)
select period, origin_id,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from new_source_rollup
group by period, origin_id
on conflict (period, origin_id) do update
set visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  views = views + excluded.views,
  bounces = bounces + excluded.bounces
