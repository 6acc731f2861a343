-- The user with this number.
select id, login, role, locale, created_at
from user
where id = @id
