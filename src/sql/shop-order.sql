-- name: find
-- An order by its id.
select o.id, o.modified_at, o.deleted, o.status, o.currency, o.created_at, o.paid_at, o.total, o.tax, o.shipping,
  g.channel, o.origin_id, o.campaign_id, o.landing_page_id, o.attributed_by, o.lines, o.coupons, o.refunds
from shop_order o
join origin g on g.id = o.origin_id
where o.id = @id

-- name: list
-- Orders that are not deleted, by id.
select o.id, o.modified_at, o.deleted, o.status, o.currency, o.created_at, o.paid_at, o.total, o.tax, o.shipping,
  g.channel, o.origin_id, o.campaign_id, o.landing_page_id, o.attributed_by, o.lines, o.coupons, o.refunds
from shop_order o
join origin g on g.id = o.origin_id
where o.id > @after
  and o.deleted = 0
order by o.id
limit @limit

-- name: between
-- Orders that are not deleted and count between two times.
select o.id, o.modified_at, o.deleted, o.status, o.currency, o.created_at, o.paid_at, o.total, o.tax, o.shipping,
  g.channel, o.origin_id, o.campaign_id, o.landing_page_id, o.attributed_by, o.lines, o.coupons, o.refunds
from shop_order o
join origin g on g.id = o.origin_id
where o.deleted = 0
  and ifnull(o.paid_at, o.created_at) >= @start
  and ifnull(o.paid_at, o.created_at) < @end

-- name: refunded
-- Orders with refunds that are not deleted and do not count between two times.
select o.id, o.modified_at, o.deleted, o.status, o.currency, o.created_at, o.paid_at, o.total, o.tax, o.shipping,
  g.channel, o.origin_id, o.campaign_id, o.landing_page_id, o.attributed_by, o.lines, o.coupons, o.refunds
from shop_order o
join origin g on g.id = o.origin_id
where o.deleted = 0
  and o.refunds <> '[]'
  and (ifnull(o.paid_at, o.created_at) < @start or ifnull(o.paid_at, o.created_at) >= @end)

-- name: save
insert into shop_order (
  id, modified_at, deleted, status, currency, created_at, paid_at, total, tax, shipping,
  origin_id, campaign_id, landing_page_id, attributed_by, lines, coupons, refunds
)
values (
  @id, @modified_at, @deleted, @status, @currency, @created_at, @paid_at, @total, @tax, @shipping,
  @origin_id, @campaign_id, @landing_page_id, @attributed_by, @lines, @coupons, @refunds
)
on conflict (id) do update
set modified_at = excluded.modified_at,
  deleted = excluded.deleted,
  status = excluded.status,
  currency = excluded.currency,
  created_at = excluded.created_at,
  paid_at = excluded.paid_at,
  total = excluded.total,
  tax = excluded.tax,
  shipping = excluded.shipping,
  origin_id = excluded.origin_id,
  campaign_id = excluded.campaign_id,
  landing_page_id = excluded.landing_page_id,
  attributed_by = excluded.attributed_by,
  lines = excluded.lines,
  coupons = excluded.coupons,
  refunds = excluded.refunds
