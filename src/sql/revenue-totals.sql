-- name: revenue.totals
-- The sums of the range.
select ifnull(sum(r.orders), 0) as orders,
  cast(ifnull(sum(r.gross), 0) as text) as gross,
  cast(ifnull(sum(r.tax), 0) as text) as tax,
  cast(ifnull(sum(r.shipping), 0) as text) as shipping,
  cast(ifnull(sum(r.net), 0) as text) as net,
  cast(ifnull(sum(r.refunded), 0) as text) as refunded
from json_each(@periods) p
cross join revenue_period r
where r.kind = 'channel'
  and r.currency = @currency
  and r.period = p.value
