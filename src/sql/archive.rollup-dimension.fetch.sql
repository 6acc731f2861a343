-- Takes a day's rows to hand as they are kept.
insert into new_dimension_rollup (
  period, dimension, value, within, visitors, sessions, views, bounces
)
select period, dimension, value, within, visitors, sessions, views, bounces
from dimension_rollup
where dimension in (
    'country', 'region', 'city', 'continent', 'language', 'timezone', 'screen', 'device',
    'browser', 'browser_version', 'os', 'os_version', 'system', 'channel'
  )
  and period = @period
