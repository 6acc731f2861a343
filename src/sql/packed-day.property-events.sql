-- One event with one of the values of a property.
select event_id as id
from event_property
where event_id >= @first_view_id
  and event_id < @next_view_id
  and +key_id = (select id from label where hash = text_hash(@key) and text = @key)
  and +value_id in (select value from json_each(@values))
