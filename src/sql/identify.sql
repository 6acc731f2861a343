-- name: app-password.find
-- The application password with this hash, and whose it is.
select a.uuid, a.name, a.hash, a.scopes, a.filters, a.expires_at, a.last_used_at,
  u.id as user_id, u.login, u.role, u.locale, u.filters as held
from app_password a
join user u on u.id = a.user_id
where a.hash = @hash

-- name: app-password.touch
-- An application password that was used; another process may have noted it already.
update app_password
set last_used_at = @now,
  last_address = @address
where uuid = @uuid
  and (last_used_at is null or last_used_at <= @before)
