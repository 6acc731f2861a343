-- Combinations of UTM values of orders; null where an order has none. `listed` is the length of the whole list.
with x as (
  select r.key, sum(r.orders) as orders, sum(r.net) as net
  from json_each(@periods) p
  cross join revenue_period r
  where r.kind = 'utm'
    and r.currency = @currency
    and r.period = p.value
  group by r.key
)
select count(*) over () as listed, c.source as utm_source, c.medium as utm_medium, c.campaign as utm_campaign,
  sum(x.orders) as orders,
  cast(sum(x.net) as text) as net
from x
join campaign c on c.id = x.key
group by c.source, c.medium, c.campaign
order by sum(x.net) desc, c.source, c.medium, c.campaign
limit @limit offset @offset
