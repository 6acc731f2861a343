-- A goal, without its number.
select name, kind, pattern, threshold, property, value_from, value
from goal
order by position, id
