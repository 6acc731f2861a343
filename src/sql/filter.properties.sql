-- A wanted value of a property, with the numbers of its spellings.
select fold(text) as wanted, json_group_array(id) as ids
from label
where id in (
    select value_id
    from event_value
    where key_id = (select id from label where hash = text_hash(@property) and text = @property)
    union all
    select id from label where hash = text_hash('(other)') and text = '(other)'
  )
  and fold(text) in (select value from json_each(@values))
group by wanted
