-- The spelling in which a UTM value came first.
select text
from utm_value
where name = @name
  and folded = @folded
