-- name: range.totals
-- All sessions and views of the range.
select ifnull(sum(sessions), 0) as sessions, ifnull(sum(views), 0) as views
from site_day
where day between @from and @to
