-- A device from which the user has just logged in.
insert into login_device (hash, user_id, used_at)
values (@hash, @user_id, @now)
on conflict (hash, user_id) do update
set used_at = excluded.used_at
