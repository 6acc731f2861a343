-- name: add
-- The new session of a browser; none if the user is gone, or the password (if given) has been changed meanwhile.
insert into login_session (
  hash, uuid, user_id, created_at, expires_at, network, new_network, browser, os
)
select @hash, @uuid, id, @now, @expires_at, @network, @new_network, @browser, @os
from user
where id = @user_id
  and (@password_hash is null or password_hash = @password_hash)

-- name: find
-- The session with this hash, while it lasts, whose it is, and whether they have a second factor.
select s.hash, s.expires_at, u.id as user_id, u.login, u.role, u.locale, u.start_page, u.filters as held,
  t.confirmed_at is not null as has_second_factor, s.new_network
from login_session s
join user u on u.id = s.user_id
left join user_totp t on t.user_id = s.user_id
where s.hash = @hash
  and s.expires_at > @now

-- name: renew
-- A session that lasts longer now.
update login_session
set expires_at = @expires_at
where hash = @hash

-- name: remove
-- A session.
delete from login_session
where hash = @hash

-- name: remove-expired
-- A session whose time is over.
delete from login_session
where expires_at <= @now
