-- The number of combinations of UTM values in the list.
select count(*) as rows
from (
  select 1
  from utm_rollup
  where grouping = @grouping
    and period in (select period from temp.period)
  group by source, medium, campaign, term, content
)
