-- The days of a month added up.
insert into new_dimension_rollup (
  dimension, period, value, within, visitors, sessions, views, bounces
)
select dimension, cast(@month as integer), value, within,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from dimension_rollup
where dimension in (
    'country', 'region', 'city', 'continent', 'language', 'timezone', 'screen', 'device',
    'browser', 'browser_version', 'os', 'os_version', 'channel'
  )
  and period > @month
  and period < @month + 100
group by dimension, value, within
