-- The second factor of the user.
delete from user_totp
where user_id = @user_id
