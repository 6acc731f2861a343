-- One source of visits.
insert into new_source_rollup (period, origin_id, visitors, sessions, views, bounces)
select @day, v.id,
  @sign * (sum(v.visitors) + count(distinct iif(v.views > 0, v.visitor_id, null))),
  @sign * (sum(v.sessions) + count(distinct iif(v.began, v.session_id, null))),
  @sign * sum(v.views),
  @sign * (sum(v.bounces) + count(distinct iif(v.bounced, v.session_id, null)))
from visit_origin v
group by v.id
