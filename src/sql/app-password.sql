-- name: add
-- The new application password.
insert into app_password (uuid, user_id, name, hash, scopes, filters, created_at, expires_at)
values (@uuid, @user_id, @name, @hash, @scopes, @filters, @created_at, @expires_at)

-- name: list
-- One application password, of one user or (null) of all.
select a.uuid, u.login, a.name, a.scopes, a.filters, a.created_at, a.expires_at, a.last_used_at, a.last_address
from app_password a
join user u on u.id = a.user_id
where @login is null
  or u.login = @login
order by u.login, a.created_at, a.uuid

-- name: revoke
-- An application password.
delete from app_password
where uuid = @uuid
returning name, (select login from user where id = user_id) as login

-- name: revoke-all
-- An application password of the user.
delete from app_password
where user_id = @user_id
