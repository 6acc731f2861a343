-- A user, with another password.
update user
set password_hash = @password_hash
where id = @id
