-- name: revenue.coupons
-- Coupons used by orders. `listed` is the length of the whole list.
with x as (
  select r.key, sum(r.orders) as orders, sum(r.discount) as discount, sum(r.net) as net
  from json_each(@periods) p
  cross join revenue_period r
  where r.kind = 'coupon'
    and r.currency = @currency
    and r.period = p.value
  group by r.key
)
select count(*) over () as listed, l.text as code, x.orders, cast(x.discount as text) as discount, cast(x.net as text) as net
from x
join label l on l.id = x.key
order by x.orders desc, l.text
limit @limit offset @offset
