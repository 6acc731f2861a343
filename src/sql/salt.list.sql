-- A day that has a salt.
select day, expires_at
from day_salt
order by day
