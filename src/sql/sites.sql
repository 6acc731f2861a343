-- name: hosts
-- Hosts with their figures over the range, most visitors first; null for pages whose host is not known.
select nullif(value, '') as host,
  sum(visitors) as visitors,
  sum(sessions) as sessions,
  sum(views) as views,
  sum(bounces) as bounces
from dimension_rollup
where dimension = 'host'
  and period in (select period from temp.period)
group by value
order by sum(visitors) desc, value
limit @limit offset @offset

-- name: days
-- The visitors of a host on a day.
select period as day, nullif(value, '') as host, visitors
from dimension_rollup
where dimension = 'host'
  and period between @from and @to
  and period % 100 > 0
order by period, value

-- name: top-pages
-- The page of each host with the most page views in the range.
with counted as (
  select page_id, sum(views) as views, sum(visitors) as visitors
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
),
ranked as (
  select p.host_id, p.path, k.visitors,
    row_number() over (partition by p.host_id order by k.views desc, p.path) as place
  from counted k
  join page p on p.id = k.page_id
  where k.views > 0
)
select nullif(h.name, '') as host, r.path, r.visitors
from ranked r
join host h on h.id = r.host_id
where r.place = 1
