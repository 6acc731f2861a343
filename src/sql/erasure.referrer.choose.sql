insert into temp.target (id)
select id
from origin
where domain = @value
