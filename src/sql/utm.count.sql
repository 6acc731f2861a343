-- How many sets of values the list has.
select count(*) as rows
from (
  select 1
  from utm_day
  where grouping = @grouping
    and day between @from and @to
  group by source, medium, campaign, term, content
)
