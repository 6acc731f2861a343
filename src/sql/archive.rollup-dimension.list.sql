-- One value of a dimension of a day, in texts, of what was derived or fetched.
select n.dimension, n.value, n.within, n.visitors, n.sessions, n.views, n.bounces
from new_dimension_rollup n
order by n.dimension, n.value, n.within
