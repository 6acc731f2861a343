-- Orders that are not deleted, by id.
select id, modified_at, deleted, status, currency, created_at, paid_at, total, tax, shipping,
  channel, campaign_id, landing_page_id, attributed_by, lines, coupons, refunds
from shop_order
where id > @after
  and deleted = 0
order by id
limit @limit
