-- A wanted event name, or a pattern, with the numbers of the names that fit.
select wanted, json_group_array(id) as ids
from (
  select text as wanted, id
  from label
  where hash in (select text_hash(value) from json_each(@values))
    and text in (select value from json_each(@values))
    and (id in (select name_id from event_name) or text = '(other)')
  union all
  select *
  from (
    select w.value, l.id
    from json_each(@patterns) w
    cross join event_name n
    cross join label l on l.id = n.name_id
    where fits(l.text, w.value)
    limit @limit
  )
)
group by wanted
