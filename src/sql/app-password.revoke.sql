-- An application password.
delete from app_password
where uuid = @uuid
returning user_id
