insert into import_progress (fingerprint, lines, finished)
values (@fingerprint, @lines, @finished)
on conflict (fingerprint) do update
set lines = excluded.lines,
  finished = excluded.finished
