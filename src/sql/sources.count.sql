-- How many sources the list has.
select count(*) as rows
from (
  select 1
  from source_rollup
  where period in (select period from temp.period)
    and (@channel is null or channel = @channel)
  group by channel, source, domain
)
