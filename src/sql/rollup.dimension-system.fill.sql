-- One operating system of visits with one browser on it.
insert into new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'system', @day, ifnull(c.os, '') as value, ifnull(c.browser, '') as within,
  @sign * (sum(v.visitors) + count(distinct iif(v.views > 0, v.visitor_id, null))),
  @sign * (sum(v.sessions) + count(distinct iif(v.began, v.session_id, null))),
  @sign * sum(v.views),
  @sign * (sum(v.bounces) + count(distinct iif(v.bounced, v.session_id, null)))
from visit_client v
join client c on c.id = v.id
group by value, within
