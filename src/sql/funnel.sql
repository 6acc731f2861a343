-- name: add
-- The new funnel.
insert into funnel (name, steps, strict, created_at)
values (@name, @steps, @strict, @created_at)
returning id

-- name: rename
-- The funnel with another name.
update funnel
set name = @name
where id = @id

-- name: remove
-- The funnel with its stored days.
delete from funnel
where id = @id
