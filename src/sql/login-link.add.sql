-- The new one-time link.
insert into login_link (hash, user_id, expires_at)
values (@hash, @user_id, @expires_at)
