-- The hash of a user's account password.
select id, password_hash
from user
where login = @login
