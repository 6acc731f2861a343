-- How many names of events the range has.
select count(distinct name_id) as rows
from event_day
where day between @from and @to
