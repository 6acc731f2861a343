-- name: user.find-password
-- The hash of a user's account password.
select id, login, password_hash
from user
where login = @login
