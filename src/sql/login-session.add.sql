-- The new session of a browser; none if the user is gone, or the password (if given) has been changed meanwhile.
insert into login_session (
  hash, uuid, user_id, created_at, expires_at, network, new_network, browser, os
)
select @hash, @uuid, id, @now, @expires_at, @network, @new_network, @browser, @os
from user
where id = @user_id
  and (@password_hash is null or password_hash = @password_hash)
