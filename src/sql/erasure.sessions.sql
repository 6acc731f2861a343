-- Visits that have no view left.
delete from session
where id in (select id from temp.erased_session)
  and not exists (select 1 from temp.left_view v where v.session_id = session.id)
