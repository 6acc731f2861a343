insert into dimension_day
select *
from new_dimension_day
