-- Takes a day's rows to hand as they are kept.
insert into new_utm_rollup (
  period, grouping, source, medium, campaign, term, content, visitors, sessions, views, bounces
)
select period, grouping, source, medium, campaign, term, content, visitors, sessions, views, bounces
from utm_rollup
where grouping in (
    'source', 'medium', 'campaign', 'term', 'content', 'source,medium', 'source,medium,campaign',
    'source,medium,campaign,term,content'
  )
  and period = @period
