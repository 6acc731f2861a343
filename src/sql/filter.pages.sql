-- A wanted page, or a pattern, with the numbers of the pages that fit. A text that does not begin like a path is one with
-- its host: example.org/blog.
select wanted, json_group_array(id) as ids
from (
  select path as wanted, id
  from page
  where path in (select value from json_each(@values))
  union all
  select w.value, p.id
  from json_each(@values) w
  cross join host h on h.name = substr(w.value, 1, instr(w.value, '/') - 1)
  cross join page p on p.path = substr(w.value, instr(w.value, '/')) and p.host_id = h.id
  where instr(w.value, '/') > 1
  union all
  select *
  from (
    select w.value, p.id
    from json_each(@patterns) w
    cross join page p
    where fits(p.path, w.value)
      or (substr(w.value, 1, 1) not in ('/', '(', @gap) and fits((select name from host where id = p.host_id) || p.path, w.value))
    limit @limit
  )
)
group by wanted
