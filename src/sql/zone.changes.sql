-- A change of the time zone, and the first day in the new one.
select first_day, previous, timezone
from timezone_change
order by changed_at
