-- name: properties
delete from event_property
where event_id in (
  select id
  from event
  where id < @before
  order by id
  limit @bite
)

-- name: events
delete from event
where id in (
  select id
  from event
  where id < @before
  order by id
  limit @bite
)

-- name: views
delete from view
where id in (
  select id
  from view
  where id < @before
  order by id
  limit @bite
)

-- name: sessions
-- Sessions that ended before; one that goes on keeps its row for the views that stay.
delete from session
where id in (
  select id
  from session
  where started_at < @second
    and ended_at < @second
  order by started_at
  limit @bite
)

-- name: dirty-day.before
-- The number of dirty days before a day.
select count(*) as days
from dirty_day
where day < @day

-- name: session.keep-number
-- The highest session id so far, kept before its row is deleted.
insert into installation (name, value)
select 'session_number', max(id)
from session
where id < 1099511627776
having max(id) is not null
on conflict (name) do update
set value = max(value, excluded.value)
