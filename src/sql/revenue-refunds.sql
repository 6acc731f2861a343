-- name: revenue.refunds-by-day
-- Days with orders or refunds, each on its own date.
select period as day,
  sum(iif(kind = 'refund', orders, 0)) as refunds,
  cast(sum(iif(kind = 'refund', refunded, 0)) as text) as refunded,
  cast(sum(iif(kind = 'channel', gross, 0)) as text) as gross
from revenue_period
where kind in ('channel', 'refund')
  and currency = @currency
  and period between @from and @to
group by period

-- name: revenue.refunded-products
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
