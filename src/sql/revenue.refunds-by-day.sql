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
