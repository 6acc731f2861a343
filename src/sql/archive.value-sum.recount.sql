-- The imported sums of some event names, made from the day's events as their rollup is.
update new_event_rollup
set value_sum = e.value_sum
from (
  select name_id, ifnull(sum(value) filter (where abs(value) <= 1e12), 0.0) as value_sum
  from event
  where id >= @first_view_id
    and id < @next_view_id
    and name_id in (select value from json_each(@names))
  group by name_id
) e
where e.name_id = new_event_rollup.name_id
