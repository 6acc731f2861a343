-- An administrator without a second factor.
select u.login
from user u
left join user_totp t on t.user_id = u.id
where u.role = 'administrator'
  and t.confirmed_at is null
order by u.login
