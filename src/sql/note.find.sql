-- A note of the service about itself, as JSON.
select value
from installation
where name = @name
