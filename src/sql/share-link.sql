-- name: add
-- The new link.
insert into share_link (uuid, hash, name, filters, goals, annotations, password_hash, created_at, expires_at)
values (@uuid, @hash, @name, @filters, @goals, @annotations, @password_hash, @created_at, @expires_at)

-- name: find
-- The link with this hash, unless it has expired.
select uuid, hash, name, filters, goals, annotations, password_hash
from share_link
where hash = @hash
  and (expires_at is null or expires_at > @now)

-- name: list
-- One link, the oldest first.
select
  uuid, name, filters, goals, annotations, password_hash is not null as has_password, created_at, expires_at
from share_link
order by created_at, uuid

-- name: revoke
-- The link, made worthless.
delete from share_link
where uuid = @uuid
returning name
