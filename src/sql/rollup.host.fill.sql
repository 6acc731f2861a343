-- One host with a view on the day, or on which a session began. Visitors are those with a view on it.
with viewed as (
  select p.host_id, count(distinct v.visitor_id) as visitors, count(*) as views
  from day_view v
  join page p on p.id = v.page_id
  group by p.host_id
),
entered as (
  select p.host_id,
    count(*) as sessions,
    count(*) filter (where s.views = 1 and s.events = 0) as bounces
  from day_session s
  join page p on p.id = s.entry_page_id
  where s.started_at >= @start
    and s.started_at < @end
  group by p.host_id
)
insert into new_dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select 'host', @day, h.name, '',
  @sign * ifnull(v.visitors, 0), @sign * ifnull(e.sessions, 0), @sign * ifnull(v.views, 0), @sign * ifnull(e.bounces, 0)
from host h
left join viewed v on v.host_id = h.id
left join entered e on e.host_id = h.id
where v.host_id is not null
  or e.host_id is not null
