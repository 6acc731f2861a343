-- The number of values of the dimension in the range.
select count(*) as rows
from (
  select 1
  from dimension_rollup
  where dimension = @dimension
    and period in (select period from temp.period)
  group by value, within
)
