-- The number 0 stands for what is unknown.
insert into temp.filter_value (filter, id)
select @filter, id
from main.label
where text in (select value from json_each(@texts))
union all
select @filter, 0
where '' in (select value from json_each(@texts))
