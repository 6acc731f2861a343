-- One event of these names with its value; values beyond the limit were stored by older versions.
select id, value
from main.event
where id >= @first_view_id
  and id < @next_view_id
  and name_id in (select value from json_each(@names))
  and abs(value) <= 1e12
