-- Removes those sessions since a time that have none of a filter's events (or, for a negated one, any of them).
delete from temp.selected_session
where started_at >= @since
  and (id in (
    select e.session_id
    from main.event e
    where e.id >= (select min(started_at) * 1048576 from temp.selected_session where started_at >= @since)
      and e.id < (select (max(ended_at) + 1) * 1048576 from temp.selected_session)
      and e.session_id is not null
      and ((select included from temp.active_filter where filter = 'host') is null or e.page_id in (select id from temp.host_page))
      and (@any_name or e.name_id in (select id from temp.filter_value where filter = @names))
      and (@properties = 0 or @properties = (
        select count(*)
        from main.event_property p
        join temp.filter_property f on f.filter = @filter and f.key_id = p.key_id and f.value_id = p.value_id
        where p.event_id = e.id
      ))
  )) <> @included
