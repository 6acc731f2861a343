insert into temp.filter_value (filter, id)
select distinct @filter, value
from json_each(@ids)
