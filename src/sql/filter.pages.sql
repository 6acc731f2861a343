-- A wanted page, or a pattern, with the numbers of the pages that fit.
select wanted, json_group_array(id) as ids
from (
  select path as wanted, id
  from page
  where path in (select value from json_each(@values))
  union all
  select *
  from (
    select w.value, p.id
    from json_each(@patterns) w
    cross join page p
    where fits(p.path, w.value)
    limit @limit
  )
)
group by wanted
