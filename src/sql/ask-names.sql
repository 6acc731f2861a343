-- name: state
-- Changes with every new name; sessions alone do not count.
select (select ifnull(max(id), 0) from page) as pages,
  (select ifnull(max(id), 0) from campaign) as campaigns,
  (select ifnull(max(id), 0) from origin) as origins,
  (select ifnull(max(id), 0) from place) as places,
  (select count(*) from event_name) as events,
  (select count(*) from shop_product) as products,
  (select ifnull(sum(id), 0) + count(*) from goal) as goals,
  (select ifnull(sum(id), 0) + count(*) from segment) as segments,
  (select ifnull(sum(id), 0) + count(*) from funnel) as funnels,
  (select ifnull(sum(id), 0) + count(*) from annotation) as annotations

-- name: pages
-- The pages with most sessions, as reports name them, with their titles.
with seen as (
  select page_id, sum(sessions) as sessions
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
  order by sessions desc
  limit 8000
)
select p.name as value, ifnull(t.text, '') as title
from seen s
join named_page p on p.id = s.page_id
left join label t on t.id = p.title_id
order by s.sessions desc, p.name

-- name: others
-- The other names of a site: what kind, the value that a filter takes, and the words that it is called by.
select 'utm_campaign' as kind, campaign as value, campaign as text
from (select distinct campaign from campaign where campaign is not null order by campaign limit 1000)
union all
select 'event', l.text, l.text
from event_name e
join label l on l.id = e.name_id
union all
select 'city', city, city
from (select distinct city from place where city is not null limit 5000)
union all
select 'source', source, source
from (select distinct source from origin where channel <> 'Direct' limit 1000)
union all
select 'goal', cast(id as text), name
from goal
union all
select 'segment', name, name
from segment
union all
select 'funnel', cast(id as text), name
from funnel
union all
-- An annotation stands for its day.
select 'p:noted', iif(whole_day = 1, cast(at as text), strftime('%Y%m%d', at, 'unixepoch')), text
from (select at, whole_day, text from annotation order by at desc limit 1000)
union all
select 'product', name, name
from (select distinct name from shop_product where variation_id = 0 and name <> '')
union all
select 'coupon', l.text, l.text
from (select distinct key from revenue_period where kind = 'coupon') c
join label l on l.id = c.key
