-- Adds what was derived, or the difference to what was there.
insert into dimension_rollup (
  dimension, period, value, within, visitors, sessions, views, bounces
)
select dimension, period, value, within,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from new_dimension_rollup
group by dimension, period, value, within
on conflict (dimension, period, value, within) do update
set visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  views = views + excluded.views,
  bounces = bounces + excluded.bounces
