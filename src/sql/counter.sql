-- name: pages
-- The page views of the range on pages whose path is like @pattern (of GLOB), on all hosts, and the visitors of these pages, added up.
select ifnull(sum(d.views), 0) as views, ifnull(sum(d.visitors), 0) as visitors
from page_rollup d
join page p on p.id = d.page_id
where d.period in (select period from temp.period)
  and p.path glob @pattern
