-- The parts of a longer period added up.
insert into new_dimension_rollup (
  dimension, period, value, within, visitors, sessions, views, bounces
)
select dimension, cast(@period as integer), value, within,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from dimension_rollup
where dimension in (
    'country', 'region', 'city', 'continent', 'language', 'timezone', 'screen', 'device',
    'browser', 'browser_version', 'os', 'os_version', 'system', 'channel'
  )
  and period in (select value from json_each(@parts))
group by dimension, value, within
