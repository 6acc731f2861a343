insert into shop_info (id, currency)
values (1, @currency)
on conflict (id) do update
set currency = excluded.currency
where currency is null
