-- What was counted of an event in the range.
select name_id as id, sum(sessions) as sessions, sum(visitors) as visitors, sum(total) as total, sum(value_sum) as value
from event_rollup
where period in (select period from temp.period)
  and name_id in (select value from json_each(@ids))
group by name_id
