-- One operating system with its version of visits.
insert into new_dimension_day (dimension, day, value, within, visitors, sessions, views, bounces)
select 'os_version', @day, ifnull(c.os || ifnull(' ' || c.os_version, ''), '') as value, '' as within,
  count(distinct iif(v.views > 0, v.visitor_id, null)),
  count(distinct iif(v.began, v.session_id, null)),
  sum(v.views),
  count(distinct iif(v.bounced, v.session_id, null))
from visit v
join client c on c.id = v.client_id
group by value, within
