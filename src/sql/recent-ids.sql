-- name: recent-id.add
insert into recent_id (kind, visitor_id, key, id)
values (@kind, @visitor_id, @key, @id)

-- name: recent-id.find
-- The newest view or event that was sent with this id.
select id
from recent_id
where kind = @kind
  and visitor_id = @visitor_id
  and key = @key
order by id desc
limit 1

-- name: recent-id.forget-before
delete from recent_id
where id < @before

-- name: recent-id.rekey
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
