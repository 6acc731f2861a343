-- How many rows a period lacks or has beyond what was derived; none if it is right.
select count(*) as rows
from (
  select * from (select * from new_hour_day except select * from hour_day where day = @period)
  union all
  select * from (select * from hour_day where day = @period except select * from new_hour_day)
)
