-- name: raw-from.days
-- A day that has rollups.
select day
from site_day
union
select period
from event_rollup
where period % 100 > 0
