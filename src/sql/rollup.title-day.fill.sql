-- How many views of a page on the day had a title.
insert into new_title_day (page_id, day, title_id, views)
select page_id, @day, title_id, count(*)
from view
where id >= @first_view_id
  and id < @next_view_id
  and title_id is not null
group by page_id, title_id
