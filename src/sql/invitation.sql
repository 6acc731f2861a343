-- name: add
-- The new invitation.
insert into invitation (uuid, hash, name, role, filters, created_at, expires_at)
values (@uuid, @hash, @name, @role, @filters, @created_at, @expires_at)

-- name: list
-- An invitation that can be accepted, the oldest first.
select uuid, name, role, filters, created_at, expires_at
from invitation
where expires_at > @now
order by created_at, uuid

-- name: find
-- The invitation with this hash, while it can be accepted.
select name, role, filters
from invitation
where hash = @hash
  and expires_at > @now

-- name: consume
-- The invitation with this hash, used up.
delete from invitation
where hash = @hash
  and expires_at > @now
returning name

-- name: withdraw
-- The invitation, made worthless.
delete from invitation
where uuid = @uuid
  and expires_at > @now
returning name

-- name: remove-expired
-- An invitation whose days are over.
delete from invitation
where expires_at <= @now
