-- How many values the dimension has in the range.
select count(*) as rows
from (
  select 1
  from dimension_day
  where dimension = @dimension
    and day between @from and @to
  group by value, within
)
