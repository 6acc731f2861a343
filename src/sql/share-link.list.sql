-- One link, the oldest first.
select uuid, name, filters, password_hash is not null as has_password, goals, created_at, expires_at
from share_link
order by created_at, uuid
