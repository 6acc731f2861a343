insert into known_view
select *
from day_view
