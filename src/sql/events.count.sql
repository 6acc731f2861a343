-- How many names of events the range has.
select count(distinct name_id) as rows
from event_rollup
where period in (select period from temp.period)
