insert into source_day
select *
from new_source_day
