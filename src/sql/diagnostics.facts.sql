-- What the newest and oldest raw rows are, and what waits to be derived; one row.
select (select max(id) from view) as newest_view,
  (select max(id) from event) as newest_event,
  (select min(started_at) from session) as oldest_session,
  (select count(*) from dirty_day) as dirty_days,
  (select u.login from installation i join user u on u.id = i.value where i.name = 'first_password') as first_password
