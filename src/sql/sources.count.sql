-- How many sources the list has.
select count(*) as rows
from (
  select 1
  from source_day
  where day between @from and @to
    and (@channel is null or channel = @channel)
  group by channel, source, domain
)
