insert into temp.filter_property (filter, key_id, value_id)
select distinct @filter, l.id, j.value
from main.label l
cross join json_each(@ids) j
where l.hash = text_hash(@key)
  and l.text = @key
