-- The days of a month added up.
insert into new_source_rollup (
  period, origin_id, visitors, sessions, views, bounces
)
select cast(@month as integer), origin_id,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from source_rollup
where period > @month
  and period < @month + 100
group by origin_id
