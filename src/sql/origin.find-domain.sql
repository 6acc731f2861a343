-- An origin with this referrer domain.
select id
from origin
where domain = @domain
limit 1
