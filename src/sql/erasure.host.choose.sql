insert into temp.target (id)
select id
from page
where host_id = (select id from host where name = @value)
