insert into page_day
select *
from new_page_day
