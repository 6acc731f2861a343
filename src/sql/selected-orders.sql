-- name: revenue.selected.tables
-- Hides the revenue rollups from the reports of a cut day: the same columns for its part of the orders.
create temp table revenue_period (
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
) strict, without rowid
