-- How many rows a period lacks or has beyond what was derived; none if it is right.
select count(*) as rows
from (
  select * from (select * from new_source_rollup except select * from source_rollup where period = @period)
  union all
  select * from (select * from source_rollup where period = @period except select * from new_source_rollup)
)
