insert into temp.filter_time (start, end)
select value ->> 0, value ->> 1
from json_each(@times)
