-- An application password.
delete from app_password
where uuid = @uuid
