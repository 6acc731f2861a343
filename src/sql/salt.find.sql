-- The salt of a day.
select salt
from day_salt
where day = @day
