-- Orders that are not deleted and count between two times.
select id, modified_at, deleted, status, currency, created_at, paid_at, total, tax, shipping,
  channel, campaign_id, landing_page_id, attributed_by, lines, coupons, refunds
from shop_order
where deleted = 0
  and ifnull(paid_at, created_at) >= @start
  and ifnull(paid_at, created_at) < @end
