-- name: archive-origin.add-history
-- A history has no installation; its number gets a random name.
insert into archive_origin (installation, number)
select @installation, ifnull(max(number), 0) + 1
from archive_origin

-- name: import.add
-- Takes the next number of the archives' origins.
insert into import (
  format, fingerprint, origin, source_timezone, grain, first_day, last_day, rows, refused, started_at, notes
)
select @format, @fingerprint, max(number), @source_timezone, @grain, @first_day, @last_day, @rows, @refused, @started_at,
  @notes
from archive_origin
returning id, origin

-- name: import.find-content
-- The import of a content, finished or not.
select id, origin, finished_at
from import
where fingerprint = @fingerprint

-- name: import.list
-- A history that was imported, the newest first.
select i.id, i.format, i.grain, i.origin, i.source_timezone, i.first_day, i.last_day, i.rows, i.refused, i.started_at,
  i.finished_at, i.undone_at, i.notes,
  (select count(*) from import_day d where d.import_id = i.id and d.stored) as days
from import i
order by i.id desc

-- name: import.changes
-- What differs whenever an import was finished or undone.
select count(*) as imports, total(finished_at) as finished, total(undone_at) as undone
from import

-- name: import.finish
update import
set finished_at = @at
where id = @id

-- name: import.undone
update import
set undone_at = @at,
  fingerprint = null
where id = @id

-- name: import-day.add
-- A day that was erased since may belong to another import.
insert into import_day (day, import_id, grain, stored)
values (@day, @import_id, @grain, 0)
on conflict (day) do update
set import_id = excluded.import_id,
  grain = excluded.grain,
  stored = 0

-- name: import-day.store
update import_day
set stored = 1
where day = @day

-- name: import-day.remove
delete from import_day
where day = @day

-- name: import-day.list
-- A day of an import.
select day, stored
from import_day
where import_id = @import_id
order by day

-- name: import-day.all
-- A day of any history, with what is known of it.
select d.day, d.import_id, d.grain, i.format, i.notes
from import_day d
join import i on i.id = d.import_id
where d.stored
order by d.day
