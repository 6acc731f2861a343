-- The shop's orders, as far as reports need them: nothing of the customer. Amounts are whole minor units of the currency.
create table shop_order (
  -- The shop's own number.
  id integer primary key,
  -- Seconds since 1970, as are all moments here; 0 for an order of which only its end is known.
  modified_at integer not null,
  deleted integer not null check (deleted in (0, 1)),
  status text not null,
  currency text not null check (length(currency) = 3),
  created_at integer not null,
  paid_at integer,
  total integer not null,
  tax integer not null,
  shipping integer not null,
  channel text not null,
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
create index "shop_order#deleted" on shop_order (deleted);

-- How a product or variation was called by the newest order that holds it. A variation of 0 is the product itself.
create table shop_product (
  product_id integer not null,
  variation_id integer not null,
  name text not null,
  -- The moment and number of the order the name is from.
  named_at integer not null,
  order_id integer not null,
  primary key (product_id, variation_id)
) strict, without rowid;

-- Rollups of orders, kept in step with them in each transaction. One row a kind of breakdown, currency, period and key.
-- A period is a day (20260314), the third of a month (2026031), month (202603) or quarter (20261) around it, or 0 for all time.
-- What a key is follows from the kind: a label, a UTM set, a page, a product with `part` for its variation.
create table revenue_period (
  kind text not null,
  currency text not null,
  period integer not null,
  key integer not null,
  part integer not null,
  orders integer not null,
  gross integer not null,
  tax integer not null,
  shipping integer not null,
  net integer not null,
  refunded integer not null,
  discount integer not null,
  units integer not null,
  refunded_units integer not null,
  primary key (kind, currency, period, key, part)
) strict, without rowid;

-- Orders whose purchase event came in, until their attribution has been looked at again.
create table shop_purchase (
  order_id text primary key
) strict, without rowid;
create index "event#order_id" on event (order_id) where order_id is not null;

-- Sessions that reached a stage of the funnel on a day.
create table funnel_day (
  day integer not null check (day between 19700101 and 99991231),
  stage text not null,
  sessions integer not null,
  primary key (day, stage)
) strict, without rowid;
insert into dirty_day (day, marks)
select distinct period, 1
from event_rollup
where period % 100 > 0
on conflict (day) do nothing;

-- What the shop says of itself; absent knowledge is null.
create table shop_info (
  id integer primary key check (id = 1),
  woocommerce_version text,
  currency text,
  hpos_enabled integer,
  attribution_enabled integer,
  checked_at integer
) strict;

-- Deliveries of the shop's webhooks.
create table shop_webhook (
  id integer primary key check (id = 1),
  last_received_at integer,
  rejected integer not null
) strict;

-- The backfill and the reconcile: where they are, and whose turn it is.
create table shop_backfill (
  id integer primary key check (id = 1),
  state text not null check (state in ('idle', 'pending', 'running', 'done', 'failed', 'cancelled')),
  from_day integer,
  to_day integer,
  cursor text,
  total integer,
  processed integer not null,
  refunds integer not null,
  started_at integer,
  finished_at integer,
  last_error text,
  orders_in_shop integer,
  lease_until integer
) strict;
insert into shop_backfill (id, state, processed, refunds)
values (1, 'idle', 0, 0);
