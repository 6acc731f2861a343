-- The session with this hash, while it lasts, and whose it is.
select s.hash, s.expires_at, u.id as user_id, u.login, u.role, u.locale
from login_session s
join user u on u.id = s.user_id
where s.hash = @hash
  and s.expires_at > @now
