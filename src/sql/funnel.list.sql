-- A funnel.
select id, name, steps, strict, created_at
from funnel
order by name
