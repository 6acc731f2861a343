-- name: shop-info.currency.find
-- The shop's currency.
select currency
from shop_info
where id = 1

-- name: shop-info.currency.adopt
insert into shop_info (id, currency)
values (1, @currency)
on conflict (id) do update
set currency = excluded.currency
where currency is null
