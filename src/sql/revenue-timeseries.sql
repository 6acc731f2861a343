-- name: revenue.by-day
-- Days with orders.
select period as day,
  sum(orders) as orders,
  cast(sum(gross) as text) as gross,
  cast(sum(net) as text) as net
from revenue_period
where kind = 'channel'
  and currency = @currency
  and period between @from and @to
group by period
