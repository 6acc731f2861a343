-- name: dimensions.systems
-- Pairs of operating system and browser, with their figures over the range; null where unknown.
select nullif(value, '') as os, nullif(within, '') as browser,
  sum(sessions) as sessions,
  sum(bounces) as bounces
from dimension_rollup
where dimension = 'system'
  and period in (select period from temp.period)
group by value, within
order by sum(sessions) desc, value, within
limit @limit offset @offset
