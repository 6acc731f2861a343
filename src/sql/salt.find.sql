-- The salt of a day; 99991231: that of visitors who consented to be known on later days.
select salt
from day_salt
where day = @day
