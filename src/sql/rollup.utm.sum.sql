-- The parts of a longer period added up.
insert into new_utm_rollup (
  grouping, period, source, medium, campaign, term, content, visitors, sessions, views, bounces
)
select grouping, cast(@period as integer), source, medium, campaign, term, content,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from utm_rollup
where grouping in (
    'source', 'medium', 'campaign', 'term', 'content', 'source,medium', 'source,medium,campaign',
    'source,medium,campaign,term,content'
  )
  and period in (select value from json_each(@parts))
group by grouping, source, medium, campaign, term, content
