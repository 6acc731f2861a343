-- How many sources the list has.
select count(*) as rows
from (
  select 1
  from source_rollup
  where period in (select period from temp.period)
    and (@channels is null or channel in (select value from json_each(@channels)))
  group by channel, source, domain
)
