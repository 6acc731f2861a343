-- The number of the visitor with a hash.
select id
from visitor
where hash = @hash
