-- How many products the list has.
select count(distinct r.key) as rows
from json_each(@periods) p
cross join revenue_period r
where r.kind = 'product'
  and r.currency = @currency
  and r.period = p.value
