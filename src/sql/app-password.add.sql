-- The new application password.
insert into app_password (uuid, user_id, name, hash, created_at)
values (@uuid, @user_id, @name, @hash, @created_at)
