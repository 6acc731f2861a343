-- One of the ten products of which most was given back.
with x as (
  select r.key, sum(r.refunded_units) as units, sum(r.refunded) as amount
  from json_each(@periods) p
  cross join revenue_period r
  where r.kind = 'returned'
    and r.currency = @currency
    and r.period = p.value
  group by r.key
)
select x.key as product_id, ifnull(n.name, '') as name, cast(x.units as text) as units, cast(x.amount as text) as amount
from x
left join shop_product n on n.product_id = x.key and n.variation_id = 0
order by x.amount desc, x.units desc, x.key
limit 10
