-- One language of visits.
insert into new_dimension_day (dimension, day, value, within, visitors, sessions, views, bounces)
select 'language', @day, ifnull(l.text, '') as value, '' as within,
  count(distinct iif(v.views > 0, v.visitor_id, null)),
  count(distinct iif(v.began, v.session_id, null)),
  sum(v.views),
  count(distinct iif(v.bounced, v.session_id, null))
from visit v
left join label l on l.id = v.language_id
group by value, within
