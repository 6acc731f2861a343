-- One screen size of visits.
insert into new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'screen', @day, ifnull(l.text, '') as value, '' as within,
  @sign * (sum(v.visitors) + count(distinct iif(v.views > 0, v.visitor_id, null))),
  @sign * (sum(v.sessions) + count(distinct iif(v.began, v.session_id, null))),
  @sign * sum(v.views),
  @sign * (sum(v.bounces) + count(distinct iif(v.bounced, v.session_id, null)))
from visit_screen v
left join label l on l.id = v.id
group by value, within
