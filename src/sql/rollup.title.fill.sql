-- The number of views of a page with a title on the day.
insert into new_title_day (page_id, day, title_id, views)
select page_id, @day, title_id, @sign * count(*)
from day_view
where title_id is not null
group by page_id, title_id
