-- The number of a visitor of a day.
select number
from temp.import_visitor
where hash = @hash
  and day = @day
