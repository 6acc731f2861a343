-- Every dimension of the day; the key begins with the dimension.
delete from dimension_day
where dimension in (
    'country', 'region', 'city', 'continent', 'language', 'timezone', 'screen', 'device',
    'browser', 'browser_version', 'os', 'os_version', 'channel'
  )
  and day = @day
