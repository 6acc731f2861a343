-- When a job ran last, and how it went.
select name, last_run, last_duration_ms, last_error
from job
order by name
