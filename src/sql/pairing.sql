-- name: add
-- The new pairing.
insert into pairing (uuid, platform, secret, created_at)
values (@uuid, @platform, @secret, @created_at)

-- name: list
-- One pairing, the oldest first.
select uuid, platform, created_at
from pairing
order by created_at, uuid

-- name: secrets
-- The secret of one pairing.
select secret
from pairing
order by created_at desc, uuid

-- name: revoke
-- The platform of the removed pairing.
delete from pairing
where uuid = @uuid
returning platform
