-- How many sets of UTM values the list has.
select count(*) as rows
from (
  select 1
  from json_each(@periods) p
  cross join revenue_period r
  join campaign c on c.id = r.key
  where r.kind = 'utm'
    and r.currency = @currency
    and r.period = p.value
  group by c.source, c.medium, c.campaign
)
