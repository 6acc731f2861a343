-- Sessions that nothing can join any more.
delete from recent_session
where session_id not in (
  select s.id
  from recent_session r
  join session s on s.id = r.session_id
  where s.ended_at >= @second
)
