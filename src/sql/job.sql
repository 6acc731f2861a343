-- name: list
-- When a job ran last, and how it went.
select name, last_run, last_duration_ms, last_error
from job
order by name

-- name: save
insert into job (name, last_run, last_duration_ms, last_error)
values (@name, @last_run, @last_duration_ms, @last_error)
on conflict (name) do update
set last_run = excluded.last_run,
  last_duration_ms = excluded.last_duration_ms,
  last_error = excluded.last_error
