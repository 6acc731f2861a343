-- name: dimensions.top
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

-- name: dimensions.count
-- The number of values of the dimension in the range.
select count(*) as rows
from (
  select 1
  from dimension_rollup
  where dimension = @dimension
    and period in (select period from temp.period)
  group by value, within
)
