-- name: add
insert into revenue_period (
  kind, currency, period, key, part, orders, gross, tax, shipping, net, refunded, discount, units, refunded_units
)
values (
  @kind, @currency, @period, @key, @part, @orders, @gross, @tax, @shipping, @net, @refunded, @discount, @units, @refunded_units
)
on conflict (kind, currency, period, key, part) do update
set orders = orders + excluded.orders,
  gross = gross + excluded.gross,
  tax = tax + excluded.tax,
  shipping = shipping + excluded.shipping,
  net = net + excluded.net,
  refunded = refunded + excluded.refunded,
  discount = discount + excluded.discount,
  units = units + excluded.units,
  refunded_units = refunded_units + excluded.refunded_units

-- name: remove-empty
-- Deletes a row if no order adds to it any more.
delete from revenue_period
where kind = @kind
  and currency = @currency
  and period = @period
  and key = @key
  and part = @part
  and orders = 0
