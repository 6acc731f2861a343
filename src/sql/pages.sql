-- name: pages
-- Pages of the range with their figures, those with the most `views`, `entries` or `exits` first, as @order says; pages
-- without one are left out. Picks the rows by few columns first, then reads the figures of only these.
-- `by_host` is 0 for one row a path, 1 for pages with their host; null means 1 once the file knows several hosts.
-- `listed` is the length of the whole list.
with form as materialized (
  select ifnull(@by_host, (select count(*) from host where name <> '') > 1) as has_host
),
counted as (
  select page_id, sum(case @order when 'entries' then entries when 'exits' then exits else views end) as number
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
  having number > 0
),
named as (
  select k.page_id, iif(@by_host, ifnull(h.name, '') || p.path, n.name) as name, p.title_id, k.number
  from counted k
  join page p on p.id = k.page_id
  join named_page n on n.id = k.page_id
  left join host h on h.id = p.host_id
  where (select has_host from form)
    or (select count(*) from host) = 1
  union all
  select min(k.page_id), p.path, iif(min(p.title_id) is max(p.title_id), min(p.title_id), null), sum(k.number)
  from counted k
  join page p on p.id = k.page_id
  where not (select has_host from form)
    and (select count(*) from host) > 1
  group by p.path
),
chosen as (
  select n.page_id, n.name, t.text as title, n.number, count(*) over () as listed
  from named n
  left join label t on t.id = n.title_id
  where @search is null
    or instr(fold(n.name), @search) > 0
    or instr(fold(t.text), @search) > 0
  order by n.number desc, n.name
  limit @limit offset @offset
),
members as materialized (
  select c.page_id as first_id, p.id as page_id, c.listed, c.name, c.title, c.number
  from chosen c
  cross join page p on p.path = (select path from page where id = c.page_id)
  where p.id = c.page_id
    or not (select has_host from form)
)
select m.listed, m.name as page, m.title,
  sum(d.visitors) as visitors,
  sum(d.views) as views,
  sum(d.sessions) as sessions,
  sum(d.entries) as entries,
  sum(d.entry_visitors) as entry_visitors,
  sum(d.exits) as exits,
  sum(d.exit_visitors) as exit_visitors,
  sum(d.bounces) as bounces,
  sum(d.seconds) as seconds,
  sum(d.timed_views) as timed_views,
  sum(d.scroll_sum) as scroll_sum,
  sum(d.scroll_views) as scroll_views
from members m
join page_rollup d on d.page_id = m.page_id
where d.period in (select period from temp.period)
group by m.first_id
order by m.number desc, m.name
