-- The random id of this file.
select value as id
from installation
where name = 'id'
