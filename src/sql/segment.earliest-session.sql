-- When the first of the sessions began that were under way at a time; null if none was.
select min(started_at) as earliest
from main.session
where ended_at - started_at > 21600
  and ended_at >= @start
  and started_at < @start
