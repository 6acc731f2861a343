-- How many rows a period lacks or has beyond what was derived; none if it is right.
select count(*) as rows
from (
  select * from (select * from new_event_property_rollup except select * from event_property_rollup where period = @period)
  union all
  select * from (select * from event_property_rollup where period = @period except select * from new_event_property_rollup)
)
