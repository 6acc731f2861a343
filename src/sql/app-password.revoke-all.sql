-- An application password of the user.
delete from app_password
where user_id = @user_id
