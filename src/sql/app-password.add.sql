-- The new application password.
insert into app_password (uuid, user_id, name, hash, scopes, filters, created_at, expires_at)
values (@uuid, @user_id, @name, @hash, @scopes, @filters, @created_at, @expires_at)
