-- One region, within its country, of visits.
insert into new_dimension_day (dimension, day, value, within, visitors, sessions, views, bounces)
select 'region', @day, ifnull(p.region, '') as value, ifnull(iif(p.region is null, null, p.country), '') as within,
  count(distinct iif(v.views > 0, v.visitor_id, null)),
  count(distinct iif(v.began, v.session_id, null)),
  sum(v.views),
  count(distinct iif(v.bounced, v.session_id, null))
from visit v
left join place p on p.id = v.place_id
group by value, within
