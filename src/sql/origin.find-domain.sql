-- An origin that has a referrer's domain.
select id
from origin
where domain = @domain
limit 1
