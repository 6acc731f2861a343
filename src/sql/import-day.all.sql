-- A day of any history, with what is known of it.
select d.day, d.import_id, d.grain, i.format, i.notes
from import_day d
join import i on i.id = d.import_id
where d.stored
order by d.day
