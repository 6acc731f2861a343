-- name: currencies
-- Currencies of counted orders, most orders first; includes the shop's own before its first order. They are
-- those of all orders, also where a temporary table hides these.
select currency, is_shops, in_range
from (
  select r.currency,
    r.currency is (select currency from shop_info where id = 1) as is_shops,
    exists (
      select 1
      from main.revenue_period d
      where d.kind = 'channel'
        and d.currency = r.currency
        and d.period between @from and @to
    ) as in_range,
    r.orders
  from main.revenue_period r
  where r.kind = 'currency'
  union all
  select i.currency, 1, 0, 0
  from shop_info i
  where i.currency is not null
    and not exists (select 1 from main.revenue_period r where r.kind = 'currency' and r.currency = i.currency)
)
order by orders desc, currency
