-- The number of a visitor who is recognised on later days.
select id
from visitor
where hash = @hash
  and day = 99991231
