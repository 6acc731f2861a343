-- name: user-totp.add
-- A second factor that is not confirmed yet; one that is confirmed stays.
insert into user_totp (user_id, secret, last_step)
values (@user_id, @secret, 0)
on conflict (user_id) do update
set secret = excluded.secret
where confirmed_at is null

-- name: user-totp.find
-- The second factor of the user.
select t.secret,
  t.confirmed_at,
  (select count(*) from recovery_code r where r.user_id = t.user_id) as recovery_codes
from user_totp t
where t.user_id = @user_id

-- name: user-totp.remove
-- The second factor of the user.
delete from user_totp
where user_id = @user_id

-- name: user-totp.use
-- The second factor whose code of this time step, and of all before it, is used up.
update user_totp
set last_step = @step,
  confirmed_at = ifnull(confirmed_at, @now)
where user_id = @user_id
  and last_step < @step

-- name: recovery-code.add
-- A recovery code.
insert into recovery_code (hash, user_id)
values (@hash, @user_id)

-- name: recovery-code.use
-- The recovery code with this hash, used up.
delete from recovery_code
where hash = @hash
  and user_id = @user_id

-- name: recovery-code.remove-of-user
-- A recovery code of the user.
delete from recovery_code
where user_id = @user_id
