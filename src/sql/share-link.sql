-- name: add
-- The new link.
insert into share_link (
  uuid, hash, name, filters, goals, annotations, password_hash, created_at, expires_at, counter, frame
)
values (
  @uuid, @hash, @name, @filters, @goals, @annotations, @password_hash, @created_at, @expires_at, @counter, @frame
)

-- name: find
-- The link with this hash, unless it has expired.
select uuid, hash, name, filters, goals, annotations, password_hash
from share_link
where hash = @hash
  and (expires_at is null or expires_at > @now)

-- name: list
-- One link, the oldest first.
select
  uuid, name, filters, goals, annotations, password_hash is not null as has_password, created_at, expires_at, counter,
  frame
from share_link
order by created_at, uuid

-- name: public
-- What the link of this id shows to everybody, unless it has expired.
select uuid, filters, counter, frame
from share_link
where uuid = @uuid
  and (expires_at is null or expires_at > @now)

-- name: revoke
-- The link, made worthless.
delete from share_link
where uuid = @uuid
returning name
