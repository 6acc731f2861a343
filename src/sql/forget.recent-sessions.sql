delete from recent_session
where session_id in (
  select id
  from session
  where (visitor_id = @visitor_id or rekeyed_visitor_id = @visitor_id)
    and not exists (select 1 from view where view.session_id = session.id)
)
