insert into hour_day
select *
from new_hour_day
