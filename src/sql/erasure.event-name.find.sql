-- An event by its name.
select n.name_id as id
from event_name n
join label l on l.id = n.name_id
where l.text = @name
