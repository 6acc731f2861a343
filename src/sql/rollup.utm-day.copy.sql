insert into utm_day
select *
from new_utm_day
