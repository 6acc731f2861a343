-- name: archive.value-sum.recount
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

-- name: archive.value-sum.correct
-- The stored sums of some event names take the imported ones, which are without values beyond the limit: all of them if
-- those were recounted, else those that overflowed.
update event_rollup
set value_sum = n.value_sum
from new_event_rollup n
where event_rollup.period = @day
  and event_rollup.name_id in (select value from json_each(@names))
  and n.name_id = event_rollup.name_id
  and n.value_sum <> event_rollup.value_sum
  and (@recounted = 1 or abs(event_rollup.value_sum) >= 1e24)
