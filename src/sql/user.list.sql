-- One user.
select id, login, role, locale, created_at
from user
order by login
