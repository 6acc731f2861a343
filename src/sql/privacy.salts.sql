-- The number of day salts, and of those that should have been destroyed by now; one row.
select count(*) as salts,
  count(*) filter (where expires_at <= @second) as overdue,
  count(*) filter (where expires_at > @second + 3 * 86400) as unlimited
from day_salt
