-- Of the sessions that are new, only those stay that have a selected view, whenever that was.
delete from temp.chosen_session
where started_at >= @since
  and id not in (
    select session_id
    from main.view
    where id >= (select min(started_at) * 1048576 from temp.chosen_session where started_at >= @since)
      and id < (select (max(ended_at) + 1) * 1048576 from temp.chosen_session)
      and (page_id in (select id from temp.chosen where filter = 'page')) = (select wanted from temp.asked where filter = 'page')
  )
