-- name: revenue.products
-- Products of the page, one row per variation (0 for the product itself), with the totals of the whole product. Picks
-- the products by one column first, then reads their figures. `listed` is the number of products in the whole list.
with ranked as (
  select r.key, sum(iif(@orderby = 'units', r.units, r.net)) as rank
  from json_each(@periods) p
  cross join revenue_period r
  where r.kind = 'product'
    and r.currency = @currency
    and r.period = p.value
  group by r.key
),
top as materialized (
  select key, rank, count(*) over () as listed
  from ranked
  order by rank desc, key
  limit @limit offset @offset
),
x as (
  select t.listed, t.rank, t.key, r.part,
    sum(r.units) as units,
    sum(r.net) as net,
    sum(r.refunded_units) as refunded_units,
    sum(r.refunded) as refunded
  from top t
  cross join json_each(@periods) p
  cross join revenue_period r
  where r.kind = 'product'
    and r.currency = @currency
    and r.period = p.value
    and r.key = t.key
  group by t.key, r.part
)
select x.listed, x.key as product_id, ifnull(n.name, '') as name,
  cast(sum(x.units) over whole as text) as units,
  cast(sum(x.net) over whole as text) as net,
  cast(sum(x.refunded_units) over whole as text) as refunded_units,
  cast(sum(x.refunded) over whole as text) as refunded,
  x.part as variation_id, ifnull(v.name, '') as variation_name,
  cast(x.units as text) as variation_units,
  cast(x.net as text) as variation_net
from x
left join shop_product n on n.product_id = x.key and n.variation_id = 0
left join shop_product v on v.product_id = x.key and v.variation_id = x.part
window whole as (partition by x.key)
order by x.rank desc, x.key, iif(@orderby = 'units', x.units, x.net) desc, x.part
