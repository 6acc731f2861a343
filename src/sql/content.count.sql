-- The number of CMS pages in the list.
with x as (
  select page_id, sum(views) as views
  from page_rollup
  where period in (select period from temp.period)
  group by page_id
)
select count(*) as rows
from page_content c
left join x on x.page_id = c.page_id
where (@type is null or c.resource_type = @type)
  and (@dated = 0 or c.published_at is not null)
  and (@before is null or c.published_at < @before)
  and (@unseen = 0 or ifnull(x.views, 0) = 0)
