-- Of the sessions that are new, only those stay that hold one of the events, or none of them.
delete from temp.chosen_session
where started_at >= @since
  and (id in (
    select session_id
    from main.event
    where id >= (select min(started_at) * 1048576 from temp.chosen_session where started_at >= @since)
      and id < (select (max(ended_at) + 1) * 1048576 from temp.chosen_session)
      and session_id is not null
      and name_id in (select id from temp.chosen where filter = 'event')
  )) <> (select wanted from temp.asked where filter = 'event')
