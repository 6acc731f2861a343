-- The time zone of the database.
select value as timezone
from installation
where name = 'timezone'
