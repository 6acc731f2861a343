-- Landing pages of sessions with an order; null where unknown. `listed` is the length of the whole list.
-- A page that an order names without its host is the one of that name.
with x as (
  select r.key, sum(r.orders) as orders, sum(r.net) as net
  from json_each(@periods) p
  cross join revenue_period r
  where r.kind = 'landing'
    and r.currency = @currency
    and r.period = p.value
  group by r.key
)
select count(*) over () as listed, g.name as landing_page, sum(x.orders) as orders, cast(sum(x.net) as text) as net
from x
left join named_page g on g.id = x.key
group by g.name
order by sum(x.net) desc, g.name
limit @limit offset @offset
