-- Removes those sessions since a time that have none of the events (or, for a negated filter, any of them).
delete from temp.selected_session
where started_at >= @since
  and (id in (
    select session_id
    from main.event
    where id >= (select min(started_at) * 1048576 from temp.selected_session where started_at >= @since)
      and id < (select (max(ended_at) + 1) * 1048576 from temp.selected_session)
      and session_id is not null
      and name_id in (select id from temp.filter_value where filter = 'event')
  )) <> (select included from temp.active_filter where filter = 'event')
