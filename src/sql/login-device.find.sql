-- The device, if the account with this login was used on it since then.
select d.hash
from login_device d
join user u on u.id = d.user_id
where d.hash = @hash
  and u.login = @login
  and d.used_at > @since
