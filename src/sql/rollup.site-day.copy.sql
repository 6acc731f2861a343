insert into site_day
select *
from new_site_day
