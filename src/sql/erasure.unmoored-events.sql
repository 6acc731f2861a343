-- What is left of a visit without views.
update event
set session_id = null
where id in (
  select e.id
  from temp.left_event e
  where not exists (select 1 from temp.left_view v where v.session_id = e.session_id)
)
