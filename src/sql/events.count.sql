-- The number of distinct event names in the range.
select count(distinct name_id) as rows
from event_rollup
where period in (select period from temp.period)
