-- name: packed-day.find
-- The columns of a day; at most one row.
select columns
from packed_day
where day = @day
