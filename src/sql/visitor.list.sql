-- Every visitor with a hash.
select id, day, lower(hex(hash)) as hash
from visitor
