-- An application password.
delete from app_password
where uuid = @uuid
returning name, (select login from user where id = user_id) as login
