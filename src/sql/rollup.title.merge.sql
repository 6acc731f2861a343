-- Adds what was derived, or the difference to what was there.
insert into title_day (
  page_id, day, title_id, views
)
select page_id, day, title_id,
  sum(views)
from new_title_day
group by page_id, day, title_id
on conflict (page_id, day, title_id) do update
set views = views + excluded.views
