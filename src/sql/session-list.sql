-- name: login-session.list
-- A session that lasts, of this user or (null) of all.
select s.hash, s.uuid, s.user_id, u.login, s.created_at, s.expires_at, s.network, s.new_network, s.browser, s.os
from login_session s
join user u on u.id = s.user_id
where s.expires_at > @now
  and (@user_id is null or s.user_id = @user_id)
order by s.created_at desc, s.uuid

-- name: login-session.end
-- The session with this id, of this user or (null) of anybody.
delete from login_session
where uuid = @uuid
  and (@user_id is null or user_id = @user_id)
returning user_id

-- name: login-session.remove-others
-- A session of the user other than this one.
delete from login_session
where user_id = @user_id
  and hash is not @hash
