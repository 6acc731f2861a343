-- A recovery code of the user.
delete from recovery_code
where user_id = @user_id
