-- name: revenue.by-channel
-- Channels with orders.
select l.text as channel,
  sum(r.orders) as orders,
  cast(sum(r.net) as text) as net
from json_each(@periods) p
cross join revenue_period r
join label l on l.id = r.key
where r.kind = 'channel'
  and r.currency = @currency
  and r.period = p.value
group by r.key
