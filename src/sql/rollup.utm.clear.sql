-- Every grouping; the key begins with it.
delete from utm_rollup
where grouping in (
    'source', 'medium', 'campaign', 'term', 'content', 'source,medium', 'source,medium,campaign',
    'source,medium,campaign,term,content'
  )
  and period = @period
