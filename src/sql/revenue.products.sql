-- One variation of a product on the page, 0 for the product itself, beside the sums of the product as a whole.
with x as materialized (
  select r.key, r.part,
    sum(r.units) as units,
    sum(r.net) as net,
    sum(r.refunded_units) as refunded_units,
    sum(r.refunded) as refunded
  from json_each(@periods) p
  cross join revenue_period r
  where r.kind = 'product'
    and r.currency = @currency
    and r.period = p.value
  group by r.key, r.part
),
top as materialized (
  select key,
    sum(units) as units,
    sum(net) as net,
    sum(refunded_units) as refunded_units,
    sum(refunded) as refunded,
    iif(@orderby = 'units', sum(units), sum(net)) as rank
  from x
  group by key
  order by rank desc, key
  limit @limit offset @offset
)
select t.key as product_id, ifnull(n.name, '') as name,
  cast(t.units as text) as units,
  cast(t.net as text) as net,
  cast(t.refunded_units as text) as refunded_units,
  cast(t.refunded as text) as refunded,
  x.part as variation_id, ifnull(v.name, '') as variation_name,
  cast(x.units as text) as variation_units,
  cast(x.net as text) as variation_net
from top t
join x on x.key = t.key
left join shop_product n on n.product_id = t.key and n.variation_id = 0
left join shop_product v on v.product_id = x.key and v.variation_id = x.part
order by t.rank desc, t.key, iif(@orderby = 'units', x.units, x.net) desc, x.part
