-- Takes a day's rows to hand as they are kept.
insert into new_title_day (
  day, page_id, title_id, views
)
select day, page_id, title_id, views
from title_day
where day = @period
