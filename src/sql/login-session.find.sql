-- The session with this hash, while it lasts, whose it is, and whether they have a second factor.
select s.hash, s.expires_at, u.id as user_id, u.login, u.role, u.locale,
  t.confirmed_at is not null as has_second_factor, s.new_network
from login_session s
join user u on u.id = s.user_id
left join user_totp t on t.user_id = s.user_id
where s.hash = @hash
  and s.expires_at > @now
