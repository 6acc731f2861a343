-- A funnel, without its number.
select name, steps, strict
from funnel
order by name
