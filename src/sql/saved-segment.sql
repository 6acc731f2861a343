-- name: list
-- A saved segment.
select id, name, filters, created_by, created_at
from segment
order by name

-- name: add
-- The new segment.
insert into segment (name, filters, created_by, created_at)
values (@name, @filters, @created_by, @created_at)
returning id

-- name: change
-- The segment with another name and other filters.
update segment
set name = @name,
  filters = @filters
where id = @id

-- name: remove
-- The segment.
delete from segment
where id = @id

-- name: users
-- A share link, an application password, a user or a digest that shows or sees the segment only.
select 'the share link' as kind, name
from share_link
where filters ->> 'segment' = cast(cast(@id as integer) as text)
union all
select 'the application password', name
from app_password
where filters ->> 'segment' = cast(cast(@id as integer) as text)
union all
select 'the user', login
from user
where filters ->> 'segment' = cast(cast(@id as integer) as text)
union all
select 'the invitation', name
from invitation
where filters ->> 'segment' = cast(cast(@id as integer) as text)
union all
select 'a digest of', user.login
from subscription
join user on user.id = subscription.user_id
where subscription.filters ->> 'segment' = cast(cast(@id as integer) as text)
order by kind desc, name
limit 1
