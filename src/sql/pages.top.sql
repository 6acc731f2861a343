-- Pages viewed in the range, with their figures. Picks the rows by few columns first, then reads
-- the figures of only these. `listed` is the length of the whole list.
with viewed as (
  select page_id, sum(views) as views
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
  having sum(views) > 0
),
chosen as (
  select v.page_id, p.path, t.text as title, count(*) over () as listed
  from viewed v
  join page p on p.id = v.page_id
  left join label t on t.id = p.title_id
  where @search is null
    or instr(fold(p.path), @search) > 0
    or instr(fold(t.text), @search) > 0
  order by v.views desc, p.path
  limit @limit offset @offset
)
select c.listed, c.path as page, c.title,
  sum(d.visitors) as visitors,
  sum(d.views) as views,
  sum(d.sessions) as sessions,
  sum(d.entries) as entries,
  sum(d.exits) as exits,
  sum(d.bounces) as bounces,
  sum(d.seconds) as seconds,
  sum(d.timed_views) as timed_views,
  sum(d.scroll_sum) as scroll_sum,
  sum(d.scroll_views) as scroll_views
from chosen c
join page_rollup d on d.page_id = c.page_id
where d.period in (select period from temp.period)
group by c.page_id
order by sum(d.views) desc, c.path
