-- The time zone whose days the file has.
select value as timezone
from installation
where name = 'timezone'
