-- The id of a host.
select id
from host
where name = @name
