-- The id 0 stands for an unknown value.
insert into temp.filter_value (filter, id)
select @filter, id
from main.label
where hash in (select text_hash(value) from json_each(@texts))
  and text in (select value from json_each(@texts))
union all
select @filter, 0
where '' in (select value from json_each(@texts))
