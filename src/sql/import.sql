-- name: find
-- The progress of an import.
select lines, finished
from import_progress
where fingerprint = @fingerprint

-- name: save
insert into import_progress (fingerprint, lines, finished)
values (@fingerprint, @lines, @finished)
on conflict (fingerprint) do update
set lines = excluded.lines,
  finished = excluded.finished

-- name: newest
-- The time of the newest view or event in seconds.
select max(second) as second
from (
  select max(id) / 1048576 as second
  from view
  union all
  select max(id) / 1048576
  from event
)
