-- One application password, of one user or (null) of all.
select a.uuid, u.login, a.name, a.scopes, a.filters, a.created_at, a.expires_at, a.last_used_at, a.last_address
from app_password a
join user u on u.id = a.user_id
where @login is null
  or u.login = @login
order by u.login, a.created_at, a.uuid
