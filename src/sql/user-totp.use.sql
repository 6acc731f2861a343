-- The second factor whose code of this time step, and of all before it, is used up.
update user_totp
set last_step = @step,
  confirmed_at = ifnull(confirmed_at, @now)
where user_id = @user_id
  and last_step < @step
