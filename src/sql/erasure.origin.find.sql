-- An origin whose referrer was the host.
select id
from origin
where domain = @domain
