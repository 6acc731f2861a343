-- Adds what was derived, or the difference to what was there.
insert into source_rollup (
  period, channel, source, domain, visitors, sessions, views, bounces
)
select period, channel, source, domain,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from new_source_rollup
group by period, channel, source, domain
on conflict (period, channel, source, domain) do update
set visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  views = views + excluded.views,
  bounces = bounces + excluded.bounces
