-- The days of a month added up.
insert into new_utm_rollup (
  grouping, period, source, medium, campaign, term, content, visitors, sessions, views, bounces
)
select grouping, cast(@month as integer), source, medium, campaign, term, content,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from utm_rollup
where grouping in (
    'source', 'medium', 'campaign', 'term', 'content', 'source,medium', 'source,medium,campaign',
    'source,medium,campaign,term,content'
  )
  and period > @month
  and period < @month + 100
group by grouping, source, medium, campaign, term, content
