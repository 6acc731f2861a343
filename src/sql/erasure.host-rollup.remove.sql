delete from dimension_rollup
where dimension = 'host'
  and value = @value
