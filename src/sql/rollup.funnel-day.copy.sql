insert into funnel_day
select *
from new_funnel_day
