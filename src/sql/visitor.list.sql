-- Every visitor whose hash is kept.
select id, day, lower(hex(hash)) as hash
from visitor
