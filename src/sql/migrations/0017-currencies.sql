-- Shops name currencies of their own, such as USDT, by more than three letters.
create table new_shop_order (
  -- The shop's own number.
  id integer primary key,
  -- 0 for an order of which only the deletion is known.
  modified_at integer not null,
  deleted integer not null check (deleted in (0, 1)),
  status text not null,
  currency text not null,
  created_at integer not null,
  paid_at integer,
  total integer not null,
  tax integer not null,
  shipping integer not null,
  origin_id integer not null,
  campaign_id integer,
  landing_page_id integer,
  -- What told the three above: the shop, a recorded session, or nothing yet.
  attributed_by text not null check (attributed_by in ('shop', 'session', 'nothing')),
  -- Lists of rows: [product, variation, units in millionths, total]; [code, discount];
  -- [refund, amount, made at, date known, parts or null]. src/shop/content.ts reads and writes them.
  lines text not null check (json_valid(lines)),
  coupons text not null check (json_valid(coupons)),
  refunds text not null check (json_valid(refunds))
) strict;

insert into new_shop_order (
  id, modified_at, deleted, status, currency, created_at, paid_at, total, tax,
  shipping, origin_id, campaign_id, landing_page_id, attributed_by, lines, coupons, refunds
)
select id, modified_at, deleted, status, currency, created_at, paid_at, total, tax,
  shipping, origin_id, campaign_id, landing_page_id, attributed_by, lines, coupons, refunds
from shop_order;

drop table shop_order;
alter table new_shop_order rename to shop_order;
create index "shop_order#deleted" on shop_order (deleted);
