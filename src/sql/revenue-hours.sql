-- name: revenue.by-hour
-- Orders and refunds of one hour, by its number in the day; each refund in its own hour.
select period as day, key as hour,
  sum(iif(kind = 'hour', orders, 0)) as orders,
  cast(sum(iif(kind = 'hour', gross, 0)) as text) as gross,
  cast(sum(iif(kind = 'hour', net, 0)) as text) as net,
  sum(iif(kind = 'refund', orders, 0)) as refunds,
  cast(sum(iif(kind = 'refund', refunded, 0)) as text) as refunded
from revenue_period
where kind in ('hour', 'refund')
  and currency = @currency
  and period between @from and @to
group by period, key
