-- Sessions that have no view left.
delete from session
where (visitor_id = @visitor_id or rekeyed_visitor_id = @visitor_id)
  and not exists (select 1 from view where view.session_id = session.id)
