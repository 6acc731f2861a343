-- A change of the time zone, and the first day that is one of the new zone.
select first_day, previous, timezone
from timezone_change
order by changed_at
