-- A wanted host, or a pattern, with the numbers of the hosts that fit; '' is the unknown one.
select wanted, json_group_array(id) as ids
from (
  select name as wanted, id
  from host
  where name in (select value from json_each(@values))
  union all
  select w.value, h.id
  from json_each(@patterns) w
  cross join host h
  where fits(h.name, w.value)
)
group by wanted
