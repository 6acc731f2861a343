-- Sessions that began on listed pages, by the names that pages have.
with named as materialized (
  select id, name
  from named_page
  where name in (select value from json_each(@listed))
)
select n.name as landing_page, sum(r.entries) as sessions
from named n
cross join temp.period p
cross join page_rollup r
where r.period = p.period
  and r.page_id = n.id
group by n.name
