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
