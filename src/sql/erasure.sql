-- name: purged-days
-- Number of days before one that have rollups.
select count(*) as days
from site_day
where day < @day

-- name: is-behind
-- A day with outdated rollups.
select day
from dirty_day
where day = @day
