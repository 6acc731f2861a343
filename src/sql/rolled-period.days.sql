-- One day before today that longer periods are made of. A day may have events only.
select day
from site_day
where day < @today
union
select period
from event_rollup
where period < @today
  and period % 100 > 0
