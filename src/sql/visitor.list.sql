-- Every visitor whose hash is kept.
select id, hash
from visitor
