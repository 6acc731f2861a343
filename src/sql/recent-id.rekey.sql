-- A visit continues under another visitor number: the short ids of its views and events move with it.
update recent_id
set visitor_id = @visitor_id
where visitor_id = @previous_id
  and kind in ('view', 'event')
  and id >= @first_id
  and (kind, id) in (
    select 'view', id
    from view
    where id >= @first_id
      and session_id = @session_id
    union all
    select 'event', id
    from event
    where id >= @first_id
      and session_id = @session_id
  )
