-- One link, the oldest first.
select
  uuid, name, filters, goals, annotations, password_hash is not null as has_password, created_at, expires_at
from share_link
order by created_at, uuid
