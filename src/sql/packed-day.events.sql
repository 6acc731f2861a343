-- One event of the day, ordered by session. Of a view and an event in the same second, the view comes first.
select e.session_id as session,
  e.visitor_id as visitor,
  e.name_id as name,
  ifnull(e.page_id, 0) as page,
  (
    select count(*)
    from temp.day_view v
    where v.session_id = e.session_id
      and v.id < (e.id / 1048576 + 1) * 1048576
  ) as view,
  e.id / 1048576 - cast(@start as integer) as second,
  e.id % 1048576 as sequence
from temp.day_event d
join main.event e on e.id = d.id
order by e.session_id is null, e.session_id, e.id
