-- A wanted text, or a pattern, with the numbers of the labels that fit.
select wanted, json_group_array(id) as ids
from (
  select text as wanted, id
  from label
  where hash in (select text_hash(value) from json_each(@values))
    and text in (select value from json_each(@values))
  union all
  select w.value, l.id
  from json_each(@patterns) w
  cross join label l
  where fits(l.text, w.value)
)
group by wanted
