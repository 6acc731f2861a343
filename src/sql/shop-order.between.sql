-- Orders that are not deleted and count between two times.
select o.id, o.modified_at, o.deleted, o.status, o.currency, o.created_at, o.paid_at, o.total, o.tax, o.shipping,
  g.channel, o.origin_id, o.campaign_id, o.landing_page_id, o.attributed_by, o.lines, o.coupons, o.refunds
from shop_order o
join origin g on g.id = o.origin_id
where o.deleted = 0
  and ifnull(o.paid_at, o.created_at) >= @start
  and ifnull(o.paid_at, o.created_at) < @end
