-- A wanted channel or source, or a pattern, with the numbers of the origins that fit.
with known as (
  select id, fold(iif(@key = 'channel', channel, source)) as text
  from origin
)
select wanted, json_group_array(id) as ids
from (
  select text as wanted, id
  from known
  where text in (select value from json_each(@values))
  union all
  select *
  from (
    select w.value, k.id
    from json_each(@patterns) w
    cross join known k
    where fits(k.text, w.value)
    limit @limit
  )
)
group by wanted
