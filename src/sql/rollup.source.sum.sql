-- The parts of a longer period added up.
insert into new_source_rollup (
  period, origin_id, visitors, sessions, views, bounces
)
select cast(@period as integer), origin_id,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from source_rollup
where period in (select value from json_each(@parts))
group by origin_id
