-- Deletes a row if no order adds to it any more.
delete from revenue_period
where kind = @kind
  and currency = @currency
  and period = @period
  and key = @key
  and part = @part
  and orders = 0
