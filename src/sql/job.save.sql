insert into job (name, last_run, last_duration_ms, last_error)
values (@name, @last_run, @last_duration_ms, @last_error)
on conflict (name) do update
set last_run = excluded.last_run,
  last_duration_ms = excluded.last_duration_ms,
  last_error = excluded.last_error
