insert into title_day
select *
from new_title_day
