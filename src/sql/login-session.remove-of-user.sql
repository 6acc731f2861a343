-- A session of the user.
delete from login_session
where user_id = @user_id
