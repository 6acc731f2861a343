-- A history that was imported, the newest first.
select i.id, i.format, i.grain, i.origin, i.source_timezone, i.first_day, i.last_day, i.rows, i.refused, i.started_at,
  i.finished_at, i.undone_at, i.notes,
  (select count(*) from import_day d where d.import_id = i.id and d.stored) as days
from import i
order by i.id desc
