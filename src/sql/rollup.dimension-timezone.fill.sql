-- One time zone of visits.
insert into new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'timezone', @day, ifnull(l.text, '') as value, '' as within,
  @sign * count(distinct iif(v.views > 0, v.visitor_id, null)),
  @sign * count(distinct iif(v.began, v.session_id, null)),
  @sign * sum(v.views),
  @sign * count(distinct iif(v.bounced, v.session_id, null))
from visit v
left join label l on l.id = v.timezone_id
group by value, within
