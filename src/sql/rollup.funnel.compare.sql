-- How many rows a period lacks or has beyond what was derived; none if it is right.
select count(*) as rows
from (
  select * from (select * from new_funnel_day except select * from funnel_day where day = @period)
  union all
  select * from (select * from funnel_day where day = @period except select * from new_funnel_day)
)
