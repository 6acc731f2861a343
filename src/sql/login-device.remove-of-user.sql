-- A device of the user.
delete from login_device
where user_id = @user_id
