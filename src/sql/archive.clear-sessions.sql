-- Sessions that began on the day; one that goes on keeps its row for the views of the next days. Its own are gone.
delete from session
where started_at >= @start
  and started_at < @end
  and (
    ended_at < @end
    or not exists (
      select 1
      from view v
      where v.id >= @next_view_id
        and v.id < (session.ended_at + 1) * 1048576
        and v.session_id = session.id
    )
  )
