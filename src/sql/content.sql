-- name: list
-- Pages described by the CMS or by trackers, with their figures over the range.
with x as (
  select page_id, sum(visitors) as visitors, sum(views) as views
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
),
described as (
  select p.id as page_id, p.name, p.title_id,
    ifnull(c.resource_type, t.resource_type) as resource_type,
    ifnull(c.author, t.author) as author,
    ifnull(c.published_at, t.published_at) as published_at
  from (select page_id from cms_page union select page_id from page_content) known
  join named_page p on p.id = known.page_id
  left join cms_page c on c.page_id = p.id
  left join page_content t on t.page_id = p.id
)
select d.name as page, l.text as title, d.resource_type, d.author, d.published_at,
  ifnull(x.visitors, 0) as visitors,
  ifnull(x.views, 0) as views
from described d
left join x on x.page_id = d.page_id
left join label l on l.id = d.title_id
where (@type is null or d.resource_type = @type)
  and (@dated = 0 or d.published_at is not null)
  and (@before is null or d.published_at < @before)
  and (@unseen = 0 or ifnull(x.views, 0) = 0)
order by iif(@newest = 1, d.published_at, null) desc, ifnull(x.views, 0) desc, d.name
limit @limit offset @offset

-- name: count
-- The number of described pages in the list.
with x as (
  select page_id, sum(views) as views
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
),
described as (
  select p.id as page_id, p.path, p.title_id,
    ifnull(c.resource_type, t.resource_type) as resource_type,
    ifnull(c.author, t.author) as author,
    ifnull(c.published_at, t.published_at) as published_at
  from (select page_id from cms_page union select page_id from page_content) known
  join page p on p.id = known.page_id
  left join cms_page c on c.page_id = p.id
  left join page_content t on t.page_id = p.id
)
select count(*) as rows
from described d
left join x on x.page_id = d.page_id
where (@type is null or d.resource_type = @type)
  and (@dated = 0 or d.published_at is not null)
  and (@before is null or d.published_at < @before)
  and (@unseen = 0 or ifnull(x.views, 0) = 0)
