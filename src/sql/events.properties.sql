-- The 50 most frequent values of each property of an event, with the key's total.
with x as (
  select key_id, value_id, sum(total) as total
  from event_property_rollup
  where name_id = (select id from label where hash = text_hash(@name) and text = @name)
    and period in (select period from temp.period)
  group by key_id, value_id
),
ranked as (
  select k.text as key, v.text as value, x.total,
    sum(x.total) over (partition by x.key_id) as key_total,
    row_number() over (partition by x.key_id order by x.total desc, v.text) as place
  from x
  join label k on k.id = x.key_id
  join label v on v.id = x.value_id
)
select key, value, total, key_total
from ranked
where place <= 50
order by key_total desc, key, place
