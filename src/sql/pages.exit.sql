-- One page with an exit in the range.
with x as (
  select page_id,
    sum(exits) as sessions,
    sum(exit_visitors) as visitors,
    sum(bounces) as bounces,
    sum(views) as views
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
  having sum(exits) > 0
)
select p.path as page, t.text as title, x.sessions, x.visitors, x.bounces, x.views
from x
join page p on p.id = x.page_id
left join label t on t.id = p.title_id
where @search is null
  or instr(fold(p.path), @search) > 0
  or instr(fold(t.text), @search) > 0
order by x.sessions desc, p.path
limit @limit offset @offset
