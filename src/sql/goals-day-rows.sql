-- name: packed-day.property-events
-- One event with one of the values of a property.
select event_id as id
from event_property
where event_id >= @first_view_id
  and event_id < @next_view_id
  and +key_id = (select id from label where hash = text_hash(@key) and text = @key)
  and +value_id in (select value from json_each(@values))

-- name: packed-day.event-values
-- One event of these names with its value; values beyond the limit were stored by older versions.
select id, value
from main.event
where id >= @first_view_id
  and id < @next_view_id
  and name_id in (select value from json_each(@names))
  and abs(value) <= 1e12

-- name: packed-day.orders
-- One order with the session of its best claim, chosen as in session.of-purchase.sql, of which that claim is an event of
-- the day.
with claimed as materialized (
  select e.id, e.session_id, e.order_id, o.id as number, o.created_at, (ifnull(o.paid_at, o.created_at) + 1) * 1048576 as paid_id
  from main.event e
  join shop_order o on o.id = cast(e.order_id as integer) and cast(o.id as text) = e.order_id
  where e.id >= @first_view_id
    and e.id < @next_view_id
    and e.claim in (0, 1)
    and e.session_id is not null
    and o.deleted = 0
)
select c.number as id, c.session_id as session
from claimed c
where c.id = (
  select r.id
  from main.event r
  where r.order_id = c.order_id
    and r.claim in (0, 1)
    and r.id >= (c.created_at - 86400) * 1048576
    and r.id < (c.created_at + 7201) * 1048576
  order by r.claim desc, r.id >= c.paid_id, iif(r.id < c.paid_id, -r.id, r.id)
  limit 1
)
