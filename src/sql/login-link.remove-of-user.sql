-- A link of the user.
delete from login_link
where user_id = @user_id
