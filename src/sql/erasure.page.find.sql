-- A page by its address.
select id
from page
where path = @path
