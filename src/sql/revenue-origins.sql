-- name: revenue.utm
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

-- name: revenue.utm-visits
-- Sessions of listed combinations of UTM values.
select nullif(source, '') as utm_source, nullif(medium, '') as utm_medium, nullif(campaign, '') as utm_campaign,
  sum(sessions) as sessions
from utm_rollup
where grouping = 'source,medium,campaign'
  and period in (select period from temp.period)
  and (source, medium, campaign) in (select value ->> 0, value ->> 1, value ->> 2 from json_each(@listed))
group by source, medium, campaign

-- name: revenue.landing
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

-- name: revenue.landing-visits
-- Sessions that began on listed pages, by the names that pages have.
with named as materialized (
  select id, name
  from named_page
  where name in (select value from json_each(@listed))
)
select n.name as landing_page, sum(r.entries) as sessions
from named n
cross join temp.period p
cross join page_rollup r
where r.period = p.period
  and r.page_id = n.id
group by n.name
