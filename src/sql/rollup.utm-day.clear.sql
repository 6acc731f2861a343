-- Every grouping of the day; the key begins with the grouping.
delete from utm_day
where grouping in ('source', 'medium', 'campaign', 'term', 'content', 'source,medium', 'source,medium,campaign', 'source,medium,campaign,term,content')
  and day = @day
