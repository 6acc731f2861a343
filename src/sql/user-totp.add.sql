-- A second factor that is not confirmed yet; one that is confirmed stays.
insert into user_totp (user_id, secret, last_step)
values (@user_id, @secret, 0)
on conflict (user_id) do update
set secret = excluded.secret
where confirmed_at is null
