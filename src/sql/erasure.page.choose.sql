insert into temp.target (id)
select id
from page
where path = @value
