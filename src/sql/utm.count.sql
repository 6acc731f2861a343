-- How many sets of values the list has.
select count(*) as rows
from (
  select 1
  from utm_rollup
  where grouping = @grouping
    and period in (select period from temp.period)
  group by source, medium, campaign, term, content
)
