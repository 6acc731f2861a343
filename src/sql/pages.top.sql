-- One page with a view in the range, with its figures over the range.
with x as (
  select page_id,
    sum(visitors) as visitors,
    sum(views) as views,
    sum(sessions) as sessions,
    sum(entries) as entries,
    sum(exits) as exits,
    sum(bounces) as bounces,
    sum(seconds) as seconds,
    sum(timed_views) as timed_views,
    sum(scroll_sum) as scroll_sum,
    sum(scroll_views) as scroll_views
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
  having sum(views) > 0
)
select p.path as page, t.text as title,
  x.visitors, x.views, x.sessions, x.entries, x.exits, x.bounces, x.seconds, x.timed_views, x.scroll_sum, x.scroll_views
from x
join page p on p.id = x.page_id
left join label t on t.id = p.title_id
where @search is null
  or instr(fold(p.path), @search) > 0
  or instr(fold(t.text), @search) > 0
order by x.views desc, p.path
limit @limit offset @offset
