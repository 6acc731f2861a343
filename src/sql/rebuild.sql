-- name: rollup.page-titles
-- The title of each page that has or had a view with one on the day: the most frequent of its last 30 days, unless the CMS has named it.
update page
set title_id = (
  select d.title_id
  from title_day d
  where d.page_id = page.id
    and d.day >= (
      select cast(strftime('%Y%m%d', substr(max(l.day), 1, 4) || '-' || substr(max(l.day), 5, 2) || '-' || substr(max(l.day), 7), '-29 days') as integer)
      from title_day l
      where l.page_id = page.id
    )
  group by d.title_id
  order by sum(d.views) desc, (select text from label where id = d.title_id)
  limit 1
)
where id in (select page_id from new_title_day union select page_id from titled_page)
  and id not in (select page_id from cms_page where title_id is not null)

-- name: rollup.titled-page.load
-- Pages that have a view with a title on the day so far.
insert or ignore into titled_page (page_id)
select page_id
from title_day
where day = @day

-- name: rollup.titled-page.clear
-- Clears them once titles are set.
delete from temp.titled_page
