-- Every dimension; the key begins with the dimension.
delete from dimension_rollup
where dimension in (
    'country', 'region', 'city', 'continent', 'language', 'timezone', 'screen', 'device',
    'browser', 'browser_version', 'os', 'os_version', 'system', 'channel'
  )
  and period = @period
