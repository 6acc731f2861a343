insert into known_session
select *
from day_session
