-- Rows that are newer than the newest ones of another file.
select (select count(*) from view where id > @view) as views,
  (select count(*) from event where id > @event) as events,
  (select count(*) from shop_order where modified_at > @order) as orders
