-- Pages described by the CMS, with their figures over the range.
with x as (
  select page_id, sum(visitors) as visitors, sum(views) as views
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
)
select p.path as page, ifnull(c.title, t.text) as title, c.resource_type, c.author, c.published_at,
  ifnull(x.visitors, 0) as visitors,
  ifnull(x.views, 0) as views
from page_content c
join page p on p.id = c.page_id
left join x on x.page_id = c.page_id
left join label t on t.id = p.title_id
where (@type is null or c.resource_type = @type)
  and (@dated = 0 or c.published_at is not null)
  and (@before is null or c.published_at < @before)
  and (@unseen = 0 or ifnull(x.views, 0) = 0)
order by iif(@newest = 1, c.published_at, null) desc, ifnull(x.views, 0) desc, p.path
limit @limit offset @offset
