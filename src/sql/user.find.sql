-- The user with this login, in whatever case.
select id, login, role, locale, created_at
from user
where login = @login
