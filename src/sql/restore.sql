-- name: facts
-- Totals of a data file, shown before a restore.
select (select coalesce(sum(views), 0) from site_day) as views,
  (select coalesce(sum(sessions), 0) from site_day) as sessions,
  (select min(day) from site_day) as first_day,
  (select max(day) from site_day) as last_day,
  (select count(*) from shop_order where deleted = 0) as orders,
  (select count(*) from user) as users,
  (select max(id) from view) as newest_view,
  (select max(id) from event) as newest_event,
  (select max(modified_at) from shop_order) as newest_order,
  (select value from installation where name = 'id') as installation

-- name: newer
-- Rows that are newer than the newest ones of another file.
select (select count(*) from view where id > @view) as views,
  (select count(*) from event where id > @event) as events,
  (select count(*) from shop_order where modified_at > @order) as orders
