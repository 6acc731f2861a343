-- A session that lasts, of this user or (null) of all.
select s.hash, s.uuid, s.user_id, u.login, s.created_at, s.expires_at, s.network, s.new_network, s.browser, s.os
from login_session s
join user u on u.id = s.user_id
where s.expires_at > @now
  and (@user_id is null or s.user_id = @user_id)
order by s.created_at desc, s.uuid
