-- Values of a dimension, with their figures over the range; null where unknown.
select nullif(value, '') as key, nullif(within, '') as country,
  sum(visitors) as visitors,
  sum(sessions) as sessions,
  sum(views) as views,
  sum(bounces) as bounces
from dimension_rollup
where dimension = @dimension
  and period in (select period from temp.period)
group by value, within
order by sum(sessions) desc, value, within
limit @limit offset @offset
