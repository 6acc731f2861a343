insert into temp.target (id)
select n.name_id
from event_name n
join label l on l.id = n.name_id
where l.text = @value
