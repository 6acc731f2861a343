-- One day before today that longer periods consist of. A day may have only events.
select day
from site_day
where day < @today
union
select period
from event_rollup
where period < @today
  and period % 100 > 0
