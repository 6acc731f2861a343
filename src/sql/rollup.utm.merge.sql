-- Adds what was derived, or the difference to what was there.
insert into utm_rollup (
  grouping, period, source, medium, campaign, term, content, visitors, sessions, views, bounces
)
select grouping, period, source, medium, campaign, term, content,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from new_utm_rollup
group by grouping, period, source, medium, campaign, term, content
on conflict (grouping, period, source, medium, campaign, term, content) do update
set visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  views = views + excluded.views,
  bounces = bounces + excluded.bounces
