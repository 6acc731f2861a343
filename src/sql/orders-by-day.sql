-- name: archive.order.days
-- The time at which an order counts. Deletion markers of unknown orders have none.
select id, ifnull(paid_at, created_at) as second
from shop_order
where deleted = 0
  or modified_at > 0
order by id

-- name: archive.order.find
-- An order by its id, with texts instead of ids.
select o.id, o.status, o.currency,
  strftime('%Y-%m-%dT%H:%M:%SZ', o.created_at, 'unixepoch') as created_at,
  strftime('%Y-%m-%dT%H:%M:%SZ', o.paid_at, 'unixepoch') as paid_at,
  strftime('%Y-%m-%dT%H:%M:%SZ', o.modified_at, 'unixepoch') as modified_at,
  o.deleted, o.total, o.tax, o.shipping,
  g.channel, g.source, g.domain,
  o.attributed_by,
  u.source as utm_source, u.medium as utm_medium, u.campaign as utm_campaign, u.term as utm_term, u.content as utm_content,
  ifnull(h.name, '') as landing_host, landing.path as landing_page,
  o.lines, o.coupons, o.refunds
from shop_order o
join origin g on g.id = o.origin_id
left join campaign u on u.id = o.campaign_id
left join page landing on landing.id = o.landing_page_id
left join host h on h.id = landing.host_id
where o.id = @id
