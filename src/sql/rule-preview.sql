-- name: referrers
-- Visits of the range whose referrer's host is like @pattern, with their page views.
select ifnull(sum(s.sessions), 0) as sessions, ifnull(sum(s.views), 0) as views
from source_rollup s
join origin o on o.id = s.origin_id
where s.period in (select period from temp.period)
  and fits(o.domain, @pattern)
