-- Removes those sessions since a time that have no selected view on any day.
delete from temp.selected_session
where started_at >= @since
  and id not in (
    select session_id
    from main.view
    where id >= (select min(started_at) * 1048576 from temp.selected_session where started_at >= @since)
      and id < (select (max(ended_at) + 1) * 1048576 from temp.selected_session)
      and (page_id in (select id from temp.filter_value where filter = 'page')) = (select included from temp.active_filter where filter = 'page')
      and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))
  )
