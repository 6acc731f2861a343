-- name: goal.pages
-- What was counted of a page in the range.
select page_id as id, sum(sessions) as sessions, sum(visitors) as visitors, sum(views) as total, 0.0 as value
from page_rollup
where period in (select period from temp.period)
  and page_id in (select value from json_each(@ids))
group by page_id

-- name: goal.events
-- What was counted of an event in the range.
select name_id as id, sum(sessions) as sessions, sum(visitors) as visitors, sum(total) as total, sum(value_sum) as value
from event_rollup
where period in (select period from temp.period)
  and name_id in (select value from json_each(@ids))
group by name_id
