-- The first spelling of a UTM value.
select text
from utm_value
where name = @name
  and folded = @folded
