-- Exit pages of the range, with their figures. Picks the rows by few columns first, then reads
-- the figures of only these. `listed` is the length of the whole list.
with counted as (
  select page_id, sum(exits) as sessions
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
  having sum(exits) > 0
),
chosen as (
  select k.page_id, p.path, t.text as title, count(*) over () as listed
  from counted k
  join page p on p.id = k.page_id
  left join label t on t.id = p.title_id
  where @search is null
    or instr(fold(p.path), @search) > 0
    or instr(fold(t.text), @search) > 0
  order by k.sessions desc, p.path
  limit @limit offset @offset
)
select c.listed, c.path as page, c.title,
  sum(d.exits) as sessions,
  sum(d.exit_visitors) as visitors,
  sum(d.bounces) as bounces,
  sum(d.views) as views
from chosen c
join page_rollup d on d.page_id = c.page_id
where d.period in (select period from temp.period)
group by c.page_id
order by sum(d.exits) desc, c.path
