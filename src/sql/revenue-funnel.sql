-- name: revenue.funnel
-- Funnel stages with the sessions that reached them.
select stage, sum(sessions) as sessions
from funnel_day
where day between @from and @to
group by stage

-- name: revenue.without-visit
-- Counted orders of which no landing page is known.
select ifnull(sum(r.orders), 0) as orders
from json_each(@periods) p
cross join revenue_period r
where r.kind = 'landing'
  and r.key = 0
  and r.currency = @currency
  and r.period = p.value
