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
