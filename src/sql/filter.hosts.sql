-- A wanted host, or a pattern, with the numbers of the hosts that fit; '' is the unknown one.
with known as (
  select id, fold(name) as text
  from host
)
select wanted, json_group_array(id) as ids
from (
  select text as wanted, id
  from known
  where text in (select value from json_each(@values))
  union all
  select w.value, k.id
  from json_each(@patterns) w
  cross join known k
  where fits(k.text, w.value)
)
group by wanted
