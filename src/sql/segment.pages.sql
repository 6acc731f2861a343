insert into temp.filter_value (filter, id)
select @filter, id
from main.page
where path in (select value from json_each(@paths))
